using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Reports.Output;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Servers;

namespace RedisLatency.Workloads;

/// <summary>The verb <c>cleanup</c>: removes the keys that loads and runs noted as theirs, and no others.</summary>
internal static class KeyCleanup
{
    private const long ReportNs = 1_000_000_000;

    public static ServiceCommand Create() => new ServiceCommand<CleanupOptions>(
        "cleanup",
        "Removes what loads and runs have written.",
        new OptionCatalogue<CleanupOptions>("Workload")
            .Include(TargetCatalogue.Create(EndpointSyntax.Problem, EndpointSyntax.Mask), o => o.Target),
        (run, _) => Task.FromResult(Run(run)));

    private static int Run(CommandRun<CleanupOptions> command)
    {
        var target = command.Options.Values.Target;
        if (target.Endpoints.Count == 0)
            throw new ConfigurationException("--redis is needed: the in-process server keeps nothing");
        using var output = new StandardOutput();
        var targets = TargetResolution.Resolve(target, command.Surroundings.Environment, PasswordPrompt.Ask);
        var (removed, exitCode) = (0L, ExitCode.Valid);
        try
        {
            foreach (var servers in KeyServers.Of(targets))
            {
                using (servers)
                    removed += Clean(servers, output);
            }
        }
        catch (RedisException failure)
        {
            output.WriteLine($"FAIL  {failure.Message}");
            exitCode = ExitCode.Refused;
        }

        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"RESULT role=workload cleanup={(exitCode == 0 ? "ok" : "failed")} removed={removed} exit={exitCode}"));
        return output.End(exitCode);
    }

    private static long Clean(KeyServers servers, StandardOutput output)
    {
        var removed = 0L;
        var ranges = 0;
        LoadMarker.Take(servers, range =>
        {
            ranges++;
            var of = 0L;
            servers.ForEach("UNLINK", KeyForm.Parse(range.Form), Told(range, output), _ => of++);
            var first = range.First.ToString(CultureInfo.InvariantCulture);
            output.WriteLine($"ok    {servers.Name}: {Quantity.Count(of)} of {Quantity.Count(range.Count)} keys were "
                + $"there and are removed (--key-form {range.Form} --first-record {first})");
            removed += of;
        });
        if (ranges == 0)
            output.WriteLine($"ok    {servers.Name}: no load has left anything ({LoadMarker.Key})");
        return removed;
    }

    private static IEnumerable<long> Told(KeyRange range, StandardOutput output)
    {
        var next = MonotonicClock.NowNs() + ReportNs;
        for (var index = range.First; index < range.End; index++)
        {
            if (index % 1_000 == 0 && MonotonicClock.NowNs() >= next)
            {
                next += ReportNs;
                output.WriteLine($"      {Quantity.Percent((index - range.First) / (double)range.Count)} of "
                    + $"{Quantity.Count(range.Count)} keys");
                output.Flush();
            }

            yield return index;
        }
    }
}

internal sealed class CleanupOptions
{
    public TargetOptions Target { get; } = new();
}
