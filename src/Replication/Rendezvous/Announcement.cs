using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>JSON in a replicated key by which readers find a writer; never prints its clock's key.</summary>
internal sealed record Announcement
{
    private const int CurrentVersion = 7;
    private const int MostWriters = 65_536;
    private const double LongestIntervalNs = 3_600_000_000_000;

    public int Version { get; init; } = CurrentVersion;
    public required ulong Session { get; init; }

    // Whether they are heartbeats: then there are zero keys, and it goes on.
    public bool IsContinuous { get; init; }
    public required long Keys { get; init; }
    public required double IntervalNs { get; init; }

    // By the writer's clock: when the first key is due, zero while the writer waits for a reader; and when the first
    // would have been due that is none any more, zero while it goes on.
    public long StartNs { get; init; }
    public long EndNs { get; init; }

    // What became of all keys at the source, when they are written.
    public WritingEnd? End { get; init; }
    public required long ExpiryNs { get; init; }
    public required string Source { get; init; }

    // By their ids; none where the source is a server alone.
    public IReadOnlyList<string> Nodes { get; init; } = [];

    // The n-th key and every so many-th after it is of the n-th shard, and of the n-th writer.
    public required IReadOnlyList<AnnouncedShard> Shards { get; init; }
    public required int Writers { get; init; }
    public string? Region { get; init; }
    public required ClockIdentity Clock { get; init; }
    public required string ProbeKey { get; init; }
    public string? Udp { get; init; }

    private bool IsCountable => IsContinuous ? Keys == 0 : Keys is > 0 and <= KeyLedger.Most;

    // More than a reader can hold is refused.
    private bool IsReadable => Version == CurrentVersion && IsCountable && IntervalNs is > 0 and <= LongestIntervalNs
        && Shards.Count > 0 && Shards.All(shard => shard is { HasSlots: true })
        && Writers is > 0 and <= MostWriters && Writers % Shards.Count == 0 && End?.IsOf(Writers) != false;

    public static string KeyOf(DelayPlan plan) =>
        $"{plan.Options.Prefix}:{plan.Run}:{(plan.IsContinuous ? "beating" : "announced")}";

    public long DueOf(long sequence) => StartNs + (long)(sequence * IntervalNs);

    public string Write() => JsonSerializer.Serialize(this, SidesJson.Default.Announcement);

    // Null where it is none.
    public static Announcement? Read(string? text)
    {
        try
        {
            return text is not null
                && JsonSerializer.Deserialize(text, SidesJson.Default.Announcement) is { IsReadable: true } read
                    ? read
                    : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    public override string ToString() =>
        $"{nameof(Announcement)} {{ Session = {Session:x16}, Keys = {Keys}, Source = {Source} }}";
}

/// <summary>Where a writer writes every so many-th key; with a tag in the prefix they all are of one slot.</summary>
internal sealed record AnnouncedShard(
    [property: JsonRequired] string Prefix, SharedSlots? Shared, [property: JsonRequired] string Source)
{
    public string? Slots => Shared?.Name;

    public int? Slot => Shared is null ? null : KeySlot.Of(Encoding.ASCII.GetBytes(Prefix));

    public bool HasSlots => Shared is null || (Shared.Ranges.Count > 0
        && Shared.Ranges.All(range => range.First >= 0 && range.First <= range.Last && range.Last < KeySlot.Count));
}

/// <summary>What writers and readers report to each other. What a property computes is not written.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    IgnoreReadOnlyProperties = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Announcement))]
internal sealed partial class SidesJson : JsonSerializerContext;

internal sealed record WritingEnd(
    [property: JsonRequired] IReadOnlyList<WrittenKeys> Writers,
    [property: JsonRequired] IReadOnlyList<NeverSentKeys> NeverSent)
{
    public static WritingEnd Of(KeySession session) => new(
        [.. session.KeyWriters.Select(writer => new WrittenKeys(writer.Asked, writer.Unsent, writer.Refused))],
        NeverSentKeys.Of(session));

    public bool IsOf(int writers) => Writers.Count == writers
        && Writers.All(writer => writer is { Asked: >= 0, Unsent: >= 0, Refused: >= 0 });

    public bool IsWithdrawn(long sequence)
    {
        var (ordinal, writer) = (sequence / Writers.Count, (int)(sequence % Writers.Count));
        if (ordinal >= Writers[writer].Asked)
            return true;
        for (var i = 0; i < NeverSent.Count; i++)
        {
            if (NeverSent[i].Contains(writer, ordinal))
                return true;
        }

        return false;
    }

    public IEnumerable<WrittenKeys> Of(int shard, int shards) => Writers.Where((_, number) => number % shards == shard);
}

internal readonly record struct WrittenKeys(
    [property: JsonRequired] long Asked, [property: JsonRequired] long Unsent, [property: JsonRequired] long Refused);

/// <summary>Keys of a writer's connection, one after the other, that were due and are not at the source.</summary>
internal readonly record struct NeverSentKeys(
    [property: JsonRequired] int Writer, [property: JsonRequired] long First, [property: JsonRequired] long Count)
{
    // A source that refuses every other key would make the key that reports it large.
    private const int Most = 1_000;

    public bool Contains(int writer, long ordinal) => writer == Writer && ordinal >= First && ordinal < First + Count;

    public static IReadOnlyList<NeverSentKeys> Of(KeySession session)
    {
        var found = new List<NeverSentKeys>();
        for (var writer = 0; writer < session.Writers; writer++)
        {
            for (long ordinal = 0; ordinal < session.KeyWriters[writer].Asked && found.Count < Most; ordinal++)
            {
                // Refused or unsent: a mark in place of the time at which it was sent.
                if (session.Ledger.SentOf(writer + (ordinal * session.Writers)) >= 0)
                    continue;
                if (found.Count > 0 && found[^1] is var last && last.Writer == writer
                    && last.First + last.Count == ordinal)
                    found[^1] = last with { Count = last.Count + 1 };
                else
                    found.Add(new NeverSentKeys(writer, ordinal, 1));
            }
        }

        return found;
    }
}

/// <summary>Waits for how a writer ended, in what it announces last.</summary>
internal sealed class EndWatch(KeyQuestions questions, string key, ulong session, Action<WritingEnd> ended)
    : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private readonly ManualResetEvent _hasEnded = new(initialState: false);
    private ReporterThread? _thread;

    public WritingEnd? End { get; private set; }

    public void Begin() => _thread = new ReporterThread(Interval, _ => Poll());

    public void Wait(TimeSpan limit) => _hasEnded.WaitOne(limit);

    public void Dispose()
    {
        _thread?.Dispose();
        questions.Dispose();
        _hasEnded.Dispose();
    }

    private void Poll()
    {
        if (End is not null)
            return;
        try
        {
            var seen = questions.Request("GET", key);
            if (seen.IsError || seen.IsNull || Announcement.Read(seen.Text) is not { End: { } end } announced
                || announced.Session != session)
                return;
            End = end;
            ended(end);
            _hasEnded.Set();
        }
        catch (RedisException)
        {
            // The reader reports what is wrong there; this only polls again.
        }
    }
}
