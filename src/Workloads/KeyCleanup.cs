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

/// <summary>The verb <c>cleanup</c>: removes the keys that loads and runs noted, unless their type changed.</summary>
internal static class KeyCleanup
{
    private const long ReportNs = 1_000_000_000;
    private const int Batch = 65_536;

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
            throw new ConfigurationException("--redis is needed: the in-process server keeps no data");
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
        LoadMarker.Take(servers, (range, hasOnlyStrings) =>
        {
            ranges++;
            var (of, left) = (0L, 0L);
            var form = KeyForm.Parse(range.Form);
            foreach (var some in Told(range, output).Chunk(Batch))
            {
                var own = new List<long>();
                servers.ForEach("TYPE", form, some, (index, isString) =>
                {
                    if (isString || !hasOnlyStrings)
                        own.Add(index);
                    else
                        left++;
                });
                servers.ForEach("UNLINK", form, own, (_, _) => of++);
            }

            var first = range.First.ToString(CultureInfo.InvariantCulture);
            output.WriteLine($"ok    {servers.Name}: {Quantity.Count(of)} of {Quantity.Count(range.Count)} keys were "
                + $"there and are removed (--key-form {range.Form} --first-record {first})");
            if (left > 0)
                output.WriteLine($"note  {servers.Name}: {Quantity.Count(left)} are no strings any more: left");
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
