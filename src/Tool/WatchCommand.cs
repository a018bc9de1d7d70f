using System.Diagnostics;
using RedisLatency.Fleet.Live;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Reports.Values;

namespace RedisLatency.Tool;

/// <summary>The verb <c>watch</c>: a run of several processes, seen from outside while it goes on.</summary>
internal static class WatchCommand
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    // A control Redis that is restarted in the middle ends nothing.
    private static readonly TimeSpan LongestAbsence = TimeSpan.FromSeconds(30);

    public static ServiceCommand Create() => new ServiceCommand<WatchOptions>(
        "watch",
        "Shows a run of several processes second by second while it lasts.",
        new OptionCatalogue<WatchOptions>("Watch")
            .Group("What")
            .Add("--run", o => o.Run, Syntax.OptionalText("NAME", IdentityCatalogue.NameProblem),
                "The name of the run, which may begin later", shownDefault: "none: it must be given")
            .Include(FleetCatalogue.CreateControl("none: it must be given"), o => o.Fleet)
            .Include(TargetCatalogue.CreateTls(), o => o.Target)
            .Rule(["--control", "--run"], o => o.Fleet.Control is null || o.Run is null
                ? "both are needed: where the members of a run meet, and its name"
                : null),
        (run, _) =>
        {
            var options = run.Options.Values;
            var control = FleetPlan.ControlOf(options.Fleet, options.Target, []);
            TargetResolution.RequireTls(options.Target, control.Endpoint);
            return Task.FromResult(RunHost.Run(
                Verbosity.Quiet, context => new Watching(options.Run!, control, context).Run()));
        })
    {
        Common = ["--control", "--control-password-file", "--run"],
        Examples = [new("All members of a run that meet at a Redis", "watch --control host:6379 --run night")],
    };

    private sealed class Watching(string name, ResolvedTarget target, RunContext context)
    {
        private readonly WatchedLines _lines = new(context.Output);
        private RunWatch? _watch;
        private bool _isWaiting;
        private long? _awaySince;

        public int Run()
        {
            context.Enter(RunPhase.Connect);
            using var control = InterruptibleStep.Run(
                () => ControlClient.Open(target.Endpoint, target.Connection), context.Stop);
            do
            {
                if (!GoesOn(control))
                {
                    _lines.Tell($"Run {name} has ended.");
                    break;
                }

                context.Output.Flush();
            }
            while (!context.Output.IsClosed && !context.Stop.WaitUntilRequested(Pause));

            context.Enter(RunPhase.Report);
            return ExitCode.Valid;
        }

        private bool GoesOn(ControlClient control)
        {
            try
            {
                _watch ??= RunWatch.Find(control, name, ProgramVersion.Text, _lines.Tell);
                if (_watch is null && !_isWaiting)
                {
                    context.Diagnostics.WriteLine($"Waiting for a run {name} at {control.Name}.");
                    _isWaiting = true;
                }

                var goesOn = _watch?.Look(_lines.Show) ?? true;
                _awaySince = null;
                return goesOn;
            }
            catch (RedisException failure) when (failure.IsTransient && !IsAwayTooLong())
            {
                if (_awaySince is null)
                    context.Diagnostics.WriteLine($"The control Redis is asked again: {failure.Message}");
                _awaySince ??= Stopwatch.GetTimestamp();
                return true;
            }
        }

        private bool IsAwayTooLong() =>
            _awaySince is { } since && Stopwatch.GetElapsedTime(since) > LongestAbsence;
    }
}

internal sealed class WatchOptions
{
    public string? Run { get; set; }
    public FleetOptions Fleet { get; } = new();
    public TargetOptions Target { get; } = new();
}
