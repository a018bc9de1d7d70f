using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>The heartbeats of one way, of a shard or the only one, as far as they are of this process.</summary>
internal sealed class BeatWay : IDisposable
{
    /// <summary>Which slots, for people; null where there are no shards.</summary>
    public required string? Shard { get; init; }

    /// <summary>What became of them.</summary>
    public required IBeatCounter Tally { get; init; }

    /// <summary>How long they took; none where they are read elsewhere.</summary>
    public DelayTally Delays { get; init; } = new();

    /// <summary>The one who writes; null where another process does.</summary>
    public BeatWriter? Writer { get; init; }

    /// <summary>The one who reads; null where another process does.</summary>
    public BeatReader? Reader { get; init; }

    /// <summary>The connection to the source; null where another process writes.</summary>
    public LastingPipeline? Source { get; init; }

    /// <summary>The connection to the destination; null where another process reads.</summary>
    public LastingPipeline? Destination { get; init; }

    /// <summary>What goes with it.</summary>
    public IDisposable? Owned { get; init; }

    /// <summary>Which end there is no connection to now, in words; null where there are all.</summary>
    public string? Lost =>
        Writer is { IsLost: true } ? $"{Source!.Label} is lost"
        : Reader is { IsLost: true } ? $"{Destination!.Label} is lost"
        : null;

    /// <inheritdoc/>
    public void Dispose()
    {
        Source?.Dispose();
        Destination?.Dispose();
        Owned?.Dispose();
    }
}
