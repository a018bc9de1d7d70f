using System.Globalization;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.ReplicatorDelayTest;

internal sealed partial class OriginalRun(CommandRun<OriginalOptions> command, RunContext run)
{
    private readonly OriginalOptions _options = command.Options.Values;

    public int Run()
    {
        var endpoint = OriginalTarget.Resolve(
            _options,
            command.Surroundings.Environment,
            address => Console.IsInputRedirected ? Console.In.ReadLine() : PasswordPrompt.Ask(address));

        run.Enter(RunPhase.Connect);
        using var pipeline = InterruptibleStep.Run(() => Open(endpoint), run.Stop);

        run.Enter(RunPhase.WarmUp);
        var code = _options.Side == OriginalSide.Set ? Write(pipeline) : Read(pipeline, endpoint);
        run.Output.Flush();
        return code;
    }

    [LoggerMessage(EventId = 404, Level = LogLevel.Information,
        Message = "Waiting for keys at {Address}; start the side that sets them.")]
    private static partial void WaitingForKeys(ILogger logger, string address);

    private int Write(RedisPipeline pipeline)
    {
        if (!_options.Overwrite)
            new ForeignKeyCheck(pipeline, _options, run.Stop).Refuse();
        var writer = new OriginalWriter(pipeline, _options, run.Stop);
        Measure(writer.Run);
        return OriginalReport.Write(writer, _options, run.ExitCode, run.Output);
    }

    private int Read(RedisPipeline pipeline, RedisEndpoint endpoint)
    {
        var reader = new OriginalReader(pipeline, _options, run.Stop);
        reader.PollAtStart();
        WaitingForKeys(run.Logger, endpoint.Address);
        Measure(reader.Run);
        return OriginalReport.Write(reader, _options, run.ExitCode, run.IsWhole, run.Output);
    }

    // Both sides end when they are done.
    private void Measure(Action measure)
    {
        run.Enter(RunPhase.Measure);
        run.Attempt(measure);
        run.Enter(RunPhase.Report);
    }

    private RedisPipeline Open(RedisEndpoint endpoint)
    {
        var options = new RedisConnectionOptions { ClientName = "redislatency-delay", ReplyLimits = RespLimits.List };
        if (_options.Side == OriginalSide.Set)
            NodeFacts.Read("HOST", new ResolvedTarget(endpoint, options, DriverKind.Raw)).RequireSource();
        return RedisPipeline.Open(endpoint, options);
    }
}

internal static class OriginalReport
{
    public const string ClusterNode =
        "It is a node of a cluster, and has some of the keys only: use delay with --source and --destination.";

    public static int Write(OriginalWriter writer, OriginalOptions options, int known, TextWriter output)
    {
        var code = ExitCode.Combine(known, writer.Refused > 0 ? ExitCode.NotValid : ExitCode.Valid);
        output.WriteLine(Text($"written {writer.Written} of {options.Keys} keys, the first is {options.FirstKey}"));
        if (writer.FirstRefusal is { } refusal)
            output.WriteLine(Text($"refused {writer.Refused}, the first with: {refusal}"));
        if (writer.FirstRefusal?.StartsWith("MOVED ", StringComparison.Ordinal) == true)
            output.WriteLine(ClusterNode);
        output.WriteLine(Text($"RESULT role=replication side=set keys={options.Keys} written={writer.Written} ")
            + Text($"refused={writer.Refused} exit={code}"));
        return code;
    }

    public static int Write(OriginalReader reader, OriginalOptions options, int known, bool isWhole, TextWriter output)
    {
        var notFound = options.Keys - reader.Found;
        var missing = isWhole ? notFound : 0;
        var unread = notFound - missing;
        var without = options.Keys - reader.Delays.Count;
        var isValid = reader.Delays.Count > 0 && without <= VerdictLimits.TolerableLoss * options.Keys;
        var code = ExitCode.Combine(known, isValid ? ExitCode.Valid : ExitCode.NotValid);
        var (average, p95, p99) = Figures(reader.Delays);
        output.WriteLine($"Average latency (milliseconds): {average}");
        output.WriteLine($"95th (milliseconds): {p95}");
        output.WriteLine($"99th (milliseconds): {p99}");
        output.WriteLine();
        output.WriteLine("error: unknown. Values carry the wall clock of whoever wrote them, cut to whole");
        output.WriteLine("  milliseconds, and nothing compares it with the wall clock of this machine.");
        output.WriteLine(Text($"keys: asked {options.Keys} = read {reader.Delays.Count}, missing {missing}, ")
            + Text($"not a number {reader.NotANumber}"));
        if (unread > 0)
            output.WriteLine(Text($"  partial: {unread} keys are unread, because reading ended early"));
        if (reader.Stale > 0)
            output.WriteLine(Text($"  {reader.Stale} keys had a value from before, which did not count"));
        output.WriteLine(Text($"polls of the server: {reader.Polls}"));
        if (reader.Delays.Count > 0)
        {
            output.WriteLine(Text($"min {Show(reader.Delays.Min())} ms, max {Show(reader.Delays.Max())} ms"));
            var (leastAverage, _, _) = Figures(reader.LeastDelays);
            output.WriteLine(
                Text($"the average from the last poll that did not find a key: {leastAverage} ms; the truth,"));
            output.WriteLine("  but for the clocks and for what stamps were cut by, lies between");
        }

        var negative = reader.Delays.Count(delay => delay < 0);
        if (negative > 0)
        {
            output.WriteLine(Text($"{negative} delays are negative: the two clocks differ by ")
                + Text($"{-reader.Delays.Min() / 1e6:0.###} ms or more."));
        }

        output.WriteLine(Text($"RESULT role=replication side=get keys={options.Keys} read={reader.Delays.Count} ")
            + Text($"missing={missing} unread={unread} average_ms={average} p95_ms={p95} p99_ms={p99} ")
            + Text($"error=unknown exit={code}"));
        return code;
    }

    private static (string Average, string P95, string P99) Figures(List<long> delays)
    {
        if (delays.Count == 0)
            return (Quantity.None, Quantity.None, Quantity.None);
        var sorted = delays.Order().ToArray();
        return (Show(sorted.Average()), Show(AtRank(95)), Show(AtRank(99)));

        // The smallest that so many per cent of all do not exceed.
        double AtRank(int percent) => sorted[(int)Math.Max(0, ((sorted.Length * (long)percent) + 99) / 100) - 1];
    }

    private static string Show(double nanoseconds) =>
        (nanoseconds / 1e6).ToString("0.0##", CultureInfo.InvariantCulture);

    private static string Text(FormattableString text) => FormattableString.Invariant(text);
}
