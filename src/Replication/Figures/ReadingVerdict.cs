using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;

namespace RedisLatency.Replication.Figures;

/// <summary>
/// Whether what was read may be relied on: at every destination, each of which is named where there are several.
/// </summary>
internal sealed class ReadingVerdict(KeySession session, KeyAccount account)
{
    /// <summary>Why it may not; empty where it may.</summary>
    public IEnumerable<string> Faults => session.Destinations.SelectMany(
        one => Named(one, DelayVerdict.ReadingFaults(account.Of(one))));

    /// <summary>What to keep in mind.</summary>
    public IEnumerable<string> Notes => session.Destinations.SelectMany(one => Named(
        one,
        DelayVerdict.ReadingNotes(account.Of(one), one.Uncertainty.Total, account.MissingAtSourceOf(one.Shards))
            .Concat(DelayVerdict.PushNotes(one.Shards.Sum(shard => shard.Reader.Unpushed)))));

    private IEnumerable<string> Named(DestinationReading one, IEnumerable<string> texts) =>
        session.Destinations.Count == 1 ? texts : texts.Select(text => $"{one.Destination.Name}: {text}");
}
