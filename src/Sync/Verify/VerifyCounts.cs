using RedisLatency.Sync.Filters;

namespace RedisLatency.Sync.Verify;

/// <summary>How many keys came to what. One thread counts; others read.</summary>
internal sealed class VerifyCounts
{
    private readonly long[] _differences = new long[Enum.GetValues<DifferenceKind>().Length];
    private readonly string?[] _first = new string?[Enum.GetValues<DifferenceKind>().Length];

    /// <summary>Keys that both servers have, as they say when it begins.</summary>
    public long Total { get; set; }

    /// <summary>Keys that a server named.</summary>
    public long Read { get; set; }

    public long Filtered { get; set; }

    /// <summary>Keys of the source that the destination has the same.</summary>
    public long Equal { get; set; }

    /// <summary>Keys that were another's at the source in every round.</summary>
    public long Unsettled { get; set; }

    public string? FirstUnsettled { get; private set; }

    public long Unread { get; private set; }

    public string? WhyUnread { get; private set; }

    public long Incomparable { get; private set; }

    public string? FirstIncomparable { get; private set; }

    /// <summary>The most bytes that a replica of the source was behind when it was waited for no longer.</summary>
    public long Behind { get; set; }

    public long Differences => _differences.Sum();

    public long Of(DifferenceKind kind) => _differences[(int)kind];

    public string FirstOf(DifferenceKind kind) => _first[(int)kind] ?? string.Empty;

    public void CountDifference(ComparedKey key)
    {
        var kind = (int)key.Difference!.Kind;
        _differences[kind]++;
        _first[kind] ??= KeyText.Of(key.Destination.Key);
    }

    public void CountEqual(ComparedKey key)
    {
        if (key.IsIncomparable)
        {
            Incomparable++;
            FirstIncomparable ??= $"{KeyText.Of(key.Source.Key)} ({key.Type})";
        }
        else if (key.Origins is null && !key.IsGone)
        {
            Equal++;
        }
    }

    public void CountRest(ComparedKey key)
    {
        if (key.Unread is null)
        {
            Unsettled++;
            FirstUnsettled ??= KeyText.Of(key.Source.Key);
        }
        else
        {
            Unread++;
            WhyUnread ??= key.Unread;
        }
    }
}
