using System.Globalization;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Truth;

/// <summary>Brings together which chunk of the link carried each key, and when the replica applied it.</summary>
internal sealed class StreamTruth : IAsyncDisposable
{
    // Ten times from one poll to the next.
    private const long NearNs = 2_000_000;

    private readonly ReplicatedPair _pair;
    private readonly ReplicaMonitor _monitor;
    private readonly WallClockMapping _before = WallClockMapping.Sample();

    private StreamTruth(ReplicatedPair pair, ReplicaMonitor monitor) => (_pair, _monitor) = (pair, monitor);

    /// <summary>
    /// How far the replica's stamps may be off: it cuts them, and the wall clock may be corrected meanwhile.
    /// </summary>
    public long ErrorNs { get; private set; }

    /// <summary>Begins to watch the replica.</summary>
    public static async Task<StreamTruth> Start(ReplicatedPair pair) =>
        new(pair, await ReplicaMonitor.Start(pair.Replica, pair.Link!.PortOf()));

    /// <summary>Ends the link, and tells of each measured key what happened to it.</summary>
    /// <param name="last">What only the last command of the stream holds: <c>:399</c> and what follows a key.</param>
    public async Task<IReadOnlyDictionary<long, TrueKey>> Take(string last)
    {
        var commands = await _monitor.Until(last);
        var after = WallClockMapping.Sample();
        ErrorNs = Math.Abs(after.OffsetNs - _before.OffsetNs) + after.ErrorNs + _before.ErrorNs + 1_000;
        // Its thread has reported everything when it has ended.
        _pair.Link!.Dispose();
        var keys = new Dictionary<long, TrueKey>();
        var chunks = _pair.Log.ToReplica;
        var chunk = chunks.Count - 1;
        long afterChunk = 0;
        long afterCommand = 0;
        foreach (var command in commands.Reverse())
        {
            // The stream ends with the last command: both are walked from there.
            for (; afterChunk + chunks[chunk].Bytes <= afterCommand; chunk--)
                afterChunk += chunks[chunk].Bytes;
            afterCommand += command.Bytes;
            if (NumberOf(command) is { } number)
                keys.Add(number, Join(command, chunks[chunk], after));
        }

        return keys;
    }

    /// <summary>What the last command holds where the last key is the end.</summary>
    public static string LastKey(long number) => string.Create(CultureInfo.InvariantCulture, $":{number}\" \"rl1 ");

    /// <summary>
    /// That what was measured is what the link did: each key within its interval, their mean within 2 % or 200 µs.
    /// </summary>
    /// <param name="summary">The summary of the run at this replica.</param>
    /// <param name="lines">Its keys.</param>
    /// <param name="keys">What <see cref="Take"/> reported of them.</param>
    /// <param name="details">What to print where it is not so.</param>
    public void ShouldBeIn(
        JsonNode summary, IReadOnlyList<KeyLine> lines, IReadOnlyDictionary<long, TrueKey> keys, string details)
    {
        foreach (var line in lines)
        {
            var key = keys[line.Number];
            key.AppliedNs.ShouldBeInRange(line.LastMissNs - ErrorNs, line.FirstHitNs + ErrorNs, $"{line} {key}");
            (line.FirstHitNs - line.SentNs).ShouldBeGreaterThan(key.AskedNs, $"{line} {key}");
        }

        // Among so many there are keys that nothing kept a poll from: either end of theirs is near the truth.
        lines.Min(line => line.FirstHitNs - keys[line.Number].AppliedNs).ShouldBeLessThan(NearNs, details);
        lines.Min(line => keys[line.Number].AppliedNs - line.LastMissNs).ShouldBeLessThan(NearNs, details);
        var onTheLink = keys.Values.Average(key => key.ReleasedNs - key.ArrivedNs);
        var inTheServers = lines.Average(line =>
            keys[line.Number].ArrivedNs - line.SentNs + keys[line.Number].AppliedNs - keys[line.Number].ReleasedNs);
        // What the tool says that it cannot know is more than that only where polls waited for the processor.
        var unknown = (Mean("delay-upper") - Mean("delay-lower")) / 2;
        var room = new[] { 0.02 * onTheLink, 200_000, unknown }.Max();
        (((Mean("delay-lower") + Mean("delay-upper")) / 2) - inTheServers).ShouldBe(onTheLink, room, details);

        double Mean(string name) => summary.SeriesOf(name)["mean"]!.GetValue<double>();
    }

    public ValueTask DisposeAsync() => _monitor.DisposeAsync();

    // Heartbeats are all of one key: their values have their number.
    private static long? NumberOf(AppliedCommand command) =>
        command.Words is not ["SET" or "set", var key, var value, ..] ? null
        : key.Contains(":heartbeat:", StringComparison.Ordinal)
            ? long.Parse(value.Split(' ')[2], NumberStyles.HexNumber, CultureInfo.InvariantCulture)
        : long.TryParse(key.Split(':')[^1], NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number
        : null;

    private static TrueKey Join(AppliedCommand command, in RelayedChunk chunk, WallClockMapping wallClock) => new(
        long.Parse(command.Words[2].Split(' ')[4].AsSpan(0, 16), NumberStyles.HexNumber, CultureInfo.InvariantCulture),
        chunk.ArrivedNs, chunk.ReleasedNs, command.AppliedUnixNs - wallClock.OffsetNs, chunk.AskedNs);
}
