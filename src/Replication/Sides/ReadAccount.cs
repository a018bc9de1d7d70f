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

    public ReplicationDelay Whole()
    {
        List<ReplicationDelay> parts = [.. readings.Select(Keys)];
        return Empty(search.Announced.Source, destination) with
        {
            Asked = parts.Sum(part => part.Asked),
            Unsent = parts.Sum(part => part.Unsent),
            Refused = parts.Sum(part => part.Refused),
            Read = parts.Sum(part => part.Read),
            Overwritten = parts.Sum(part => part.Overwritten),
            Missing = parts.Sum(part => part.Missing),
            Unread = parts.Sum(part => part.Unread),
            Polls = parts.Sum(part => part.Polls),
            PollBytes = parts.Sum(part => part.PollBytes),
            Direct = clock.Direct.Beside(tally.FromSent.Middle),
        };
    }

    public IReadOnlyList<PartOutcome> Shards() =>
        [.. readings.Where(one => one.Shard.Slots is not null).Select(one => (Of: one, Keys: Keys(one))).Select(
            one => new PartOutcome
            {
                Name = $"{one.Of.Shard.Slots}: {one.Keys.Source} to {one.Keys.Destination}",
                Keys = one.Keys,
                Series = [.. one.Of.Tally.FromSent.Parts, .. one.Of.Tally.FromIntended.Parts],
                Tally = one.Of.Tally,
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

    private ReplicationDelay Keys(AnnouncedReading one)
    {
        var asked = one.Keys.Asked;
        List<WrittenKeys> written = [.. one.Keys.End?.Of(one.Number, search.Announced.Shards.Count) ?? []];
        var (toldUnsent, toldRefused) = (written.Sum(writer => writer.Unsent), written.Sum(writer => writer.Refused));
        // A key that was never sent was looked for in vain until its writer told, or its deadline had passed.
        var dropped = asked - one.Tally.Read - one.Tally.Overwritten - one.Tally.MissingCount;
        var neverSent = Math.Min(toldUnsent + toldRefused, dropped + one.Tally.MissingCount);
        var unsent = Math.Min(toldUnsent, neverSent);
        var unread = Math.Max(0, dropped - neverSent);
        return Empty(one.Shard.Source, one.Destination.Target.Name) with
        {
            Asked = asked,
            Unsent = unsent,
            Refused = neverSent - unsent,
            Read = one.Tally.Read,
            Overwritten = one.Tally.Overwritten,
            Missing = dropped + one.Tally.MissingCount - neverSent - unread,
            Unread = unread,
            Polls = one.Reader.Polls,
            PollBytes = one.Destination.Bytes,
        };
    }

    private ReplicationDelay Empty(string from, string to) => new()
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
    };
}
