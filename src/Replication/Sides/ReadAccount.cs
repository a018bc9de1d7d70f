using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Sides;

internal sealed class ReadAccount(
    WriterSearch search, SettledClock clock, IReadOnlyList<AnnouncedReading> readings, DelayTally tally,
    DelayOptions options,
    string destination)
{
    public long ErrorNs { get; } = readings.Max(one => one.Delays.ErrorNs);

    public ReplicationDelay Whole() => Keys(search.Announced.Source, destination, [.. readings]) with
    {
        Direct = clock.Direct.Beside(tally.FromSent.Middle),
    };

    public IReadOnlyList<PartOutcome> Shards() =>
        [.. readings.Where(one => one.Shard.Slots is not null).Select(one => (Of: one, Keys: Keys(one))).Select(
            one => new PartOutcome
            {
                Name = $"{one.Of.Shard.Slots}: {one.Keys.Source} to {one.Keys.Destination}",
                Keys = one.Keys,
                Metrics = one.Of.Metrics,
                Sent = one.Keys.Asked - one.Keys.Unsent,
                Share = 1.0 / readings.Count,
            })];

    // Counts every key without a delay as slower than all others, in each series that it should be in.
    public void CountMissing()
    {
        foreach (var one in readings)
            one.Tally.CountMissing(one.Keys.Asked);
        if (readings.Count > 1)
            tally.CountMissing(readings.Sum(one => one.Keys.Asked));
    }

    private ReplicationDelay Keys(AnnouncedReading one) => Keys(one.Shard.Source, one.Destination.Target.Name, one);

    private ReplicationDelay Keys(string from, string to, params IReadOnlyList<AnnouncedReading> of) =>
        of.Aggregate(default(KeyCounts), (sum, one) => sum + one.Counts).In(new ReplicationDelay
        {
            Source = from,
            Destination = to,
            SourceRegion = search.Announced.Region,
            DestinationRegion = options.Identity.Region,
            Reading = PushChoice.NameOf(search.Places.Reading),
            Clocks = clock.Describe(ErrorNs),
            ErrorNs = ErrorNs,
            DeadlineNs = options.Deadline.InNanoseconds,
            Asked = 0,
            Polls = of.Sum(one => one.Reader.Polls),
            PollBytes = of.Sum(one => one.Destination.Bytes),
        });
}
