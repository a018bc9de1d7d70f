using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Tests.Phases;

public class ThroughputLimitTests
{
    [Theory]
    [InlineData(0.95, 0.5, null, 0.5, "this tool was the limit, not the server")]
    [InlineData(0.95, 0.99, null, 0.5, "this tool and the server were both at their limit")]
    [InlineData(0.4, 0.99, null, 0.5, "the server was the limit: it used 99 % of a core")]
    [InlineData(0.4, 0.5, null, 0.5, "neither this tool nor the server was busy all the time")]
    [InlineData(0.4, 0.5, null, 0.97, "the processors of this machine were 97 % busy")]
    [InlineData(0.4, 0.99, 110_000.0, 0.5, "this tool may be the limit: it reached only")]
    [InlineData(0.4, 0.99, 300_000.0, 0.5, "the server was the limit")]
    public void Limit_OfAClosedLoop_IsNamed(
        double toolBusy, double serverBusy, double? floor, double machineBusy, string beginning)
    {
        var limit = ThroughputLimit.Of(
            SummaryOf(100_000, toolBusy, serverBusy), floor is { } rate ? SummaryOf(rate, 1, 1) : null, machineBusy);

        limit.ShouldNotBeNull().ShouldStartWith(beginning);
        ThroughputLimit.IsTool(limit).ShouldBe(beginning.StartsWith("this tool", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(0.99, null, "the server was the limit: it used 99 % of a core, and this process used 40 % of the proc")]
    [InlineData(0.5, null, "neither the processors nor the server were busy all the time (this process used 40 % of")]
    [InlineData(0.5, 110_000.0, "this tool may be the limit: it reached only")]
    public void Limit_OfAClientLibrary_IsNotThatOfAThread(double serverBusy, double? floor, string beginning)
    {
        var limit = ThroughputLimit.Of(
            OfAClientLibrary(SummaryOf(100_000, 0.4, serverBusy)),
            floor is { } rate ? OfAClientLibrary(SummaryOf(rate, 0.4, 0)) : null, 0.5);

        limit.ShouldNotBeNull().ShouldStartWith(beginning);
    }

    [Fact]
    public void Limit_OfAScheduleThatWasKept_IsNone()
    {
        var kept = SummaryOf(1_000, 0.1, 0.1) with { Rates = new() { Asked = 1_000, Achieved = 1_000 } };

        ThroughputLimit.Of(kept, null, 0.2).ShouldBeNull();
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(99, true)]
    [InlineData(100, false)]
    public void Limit_OfARunOfMilliseconds_IsNotKnown(int milliseconds, bool isNone)
    {
        var summary = SummaryOf(100_000, 0.95, 0.5) with { DurationNs = milliseconds * 1_000_000L };

        (ThroughputLimit.Of(summary, null, 0.5) is null).ShouldBe(isNone);
    }

    private static RunSummary OfAClientLibrary(RunSummary summary) => summary with
    {
        Workload = summary.Workload! with { Engine = summary.Workload.Engine! with { IsClientLibrary = true } },
    };

    private static RunSummary SummaryOf(double rate, double toolBusy, double serverBusy) => new()
    {
        Name = "run",
        Rates = new() { Achieved = rate },
        Metrics = [RecordedMetric.Of(Cost.Busy, toolBusy), RecordedMetric.Of(Cost.ServerBusy, serverBusy)],
        Workload = new()
        {
            Verb = "run",
            Phase = "run",
            Engine = new()
            {
                Loop = "epoll",
                Threads = 1,
                ConnectionsPerThread = 50,
                Pipeline = 1,
            },
        },
    };
}
