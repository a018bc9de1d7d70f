using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Tests.Records;

namespace RedisLatency.Reports.Tests.Summaries;

public class DelayPrintTests
{
    [Fact]
    public void Text_OfPolling_SaysWhatItCostTheDestination() => Print(new ReplicationDelay
    {
        Source = "a",
        Destination = "b",
        Reading = "polling",
        Clocks = "one clock: nothing to correct",
        DeadlineNs = 5_000_000_000,
        Asked = 1_000,
        Read = 1_000,
        Polls = 20_000,
        PollBytes = 4_000_000,
        ReadingShare = 0.125,
    }).ShouldContain("read by polling, 20,000 polls: 5,000/s, 1,000 kB/s, 12.5 % of the destination's time; one clock");

    private static string Print(ReplicationDelay delay)
    {
        var record = SampleRunRecord.Create();
        var writer = new StringWriter();
        new SummaryText(
            record with
            {
                Summaries = [record.Summaries[0] with { Delay = delay, DurationNs = 4_000_000_000 }],
            },
            folder: null).WriteTo(writer);
        return string.Join(' ', writer.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
    }
}
