using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Replication.Delay.Ends.Watching;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Reading.Pushes;
using RedisLatency.Replication.Delay.Writing;

namespace RedisLatency.Replication.Delay.Reporting;

/// <summary>What became of the keys of a session, whole and by shards.</summary>
internal sealed class KeyAccount(KeySession session, LinkWatch watch, ReadingKind reading, DelayOptions options)
{
    /// <summary>What became of all keys.</summary>
    public ReplicationDelay Whole(ResolvedTarget source, ResolvedTarget destination) => Of(
        source.Name, destination.Name, [.. session.Writing.KeyWriters], session.Tally, session.Readings) with
    {
        Lag = watch.Lag,
    };

    /// <summary>What became of each shard's; none where there are no shards.</summary>
    public IReadOnlyList<ShardOutcome> Shards() => [.. session.Readings.Where(one => one.Way.Shard is not null).Select(Of)];

    /// <summary>Asks the sources for those that did not come.</summary>
    /// <returns>How many are not there either; null where that is not to be learned of all.</returns>
    public long? MissingAtSource()
    {
        long sum = 0;
        foreach (var one in session.Readings)
        {
            if (Ends.MissingAtSource.Count(session.Writing.Id, one.Way, one.Tally) is not { } count)
                return null;
            sum += count;
        }

        return sum;
    }

    private ShardOutcome Of(ShardReading one)
    {
        List<KeyWriter> writers = [.. one.Writers];
        var source = one.Way.Source.Target?.Name ?? "nobody";
        var destination = one.Destination.Target.Name;
        return new ShardOutcome(
            $"{one.Way.Shard}: {source} to {destination}",
            Of(source, destination, writers, one.Tally, [one]) with { Lag = watch.LagOf(one.Place) },
            [.. one.Tally.FromSent.Parts, .. one.Tally.FromIntended.Parts],
            writers.Sum(writer => writer.Sent));
    }

    private ReplicationDelay Of(
        string source, string destination, List<KeyWriter> writers, DelayTally tally, IReadOnlyList<ShardReading> readings)
    {
        var refused = writers.Sum(writer => writer.Refused);
        return new ReplicationDelay
        {
            Source = source,
            Destination = destination,
            SourceRegion = options.SourceRegion,
            DestinationRegion = options.DestinationRegion,
            Reading = PushChoice.NameOf(reading),
            Clocks = "one clock: nothing to correct",
            DeadlineNs = options.Deadline.Ticks * TimeSpan.NanosecondsPerTick,
            Asked = writers.Sum(writer => writer.Asked),
            Unsent = writers.Sum(writer => writer.Unsent),
            Refused = refused,
            Unanswered = writers.Sum(writer => writer.Unanswered),
            Read = tally.Read,
            Overwritten = tally.Overwritten,
            Missing = tally.MissingCount,
            Unread = writers.Sum(writer => writer.Sent) - refused - tally.Read - tally.Overwritten - tally.MissingCount,
            Polls = readings.Sum(one => one.Reader.Polls),
        };
    }
}
