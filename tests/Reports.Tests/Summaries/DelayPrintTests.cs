using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Tests.Records;

namespace RedisLatency.Reports.Tests.Summaries;

public class DelayPrintTests
{
    [Fact]
    public void Text_OfPolling_SaysWhatItCostTheDestination() => Print(Keys with
    {
        Polls = 20_000,
        PollBytes = 4_000_000,
        ReadingShare = 0.125,
    }).ShouldContain("read by polling, 20,000 polls: 5,000/s, 1,000 kB/s, 12.5 % of the destination's time; one clock");

    // Every poll was later than the one before by more than a millisecond, and a tenth of the keys never came.
    [Fact]
    public void Text_OfMissingKeys_ShowsTheLeastDelayAllTheSame()
    {
        LatencySeries Series(string name, long? least) => new() { Name = name, Count = 900, Missing = 100, Min = least };

        Print(Keys, Series("delay", null), Series("delay-lower", 2_000_000), Series("delay-upper", 40_000_000))
            .ShouldContain(" min 2.000 2.000..40.00 40.00 mean missing missing missing ");
    }

    private static ReplicationDelay Keys { get; } = new()
    {
        Source = "a",
        Destination = "b",
        Reading = "polling",
        Clocks = "one clock: nothing to correct",
        DeadlineNs = 5_000_000_000,
    };

    private static string Print(ReplicationDelay delay, params IReadOnlyList<LatencySeries> latencies)
    {
        var record = SampleRunRecord.Create();
        var writer = new StringWriter();
        new SummaryText(
            record with
            {
                Summaries =
                [
                    record.Summaries[0] with
                    {
                        Delay = delay,
                        Sync = null,
                        DurationNs = 4_000_000_000,
                        Latencies = latencies,
                    },
                ],
            },
            folder: null).WriteTo(writer);
        return string.Join(' ', writer.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
    }
}
