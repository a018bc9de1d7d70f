namespace RedisLatency.Sync.Verify;

/// <summary>A key that is compared, and what the last round found of it.</summary>
internal sealed class ComparedKey(KeyName source, KeyName destination)
{
    private Difference? _before;

    public KeyName Source { get; } = source;

    public KeyName Destination { get; } = destination;

    /// <summary>The names by which the source might have it, where the destination named it; null elsewhere.</summary>
    public IReadOnlyList<KeyName>? Origins { get; init; }

    public string Type { get; set; } = string.Empty;

    public Difference? Difference { get; set; }

    /// <summary>Why it could not be read; null where it was.</summary>
    public string? Unread { get; set; }

    /// <summary>Whether it is of a type whose values only its module can compare, and they are not the same.</summary>
    public bool IsIncomparable { get; set; }

    /// <summary>Whether neither server has it any more.</summary>
    public bool IsGone { get; set; }

    /// <summary>For how many rounds the difference has been the same.</summary>
    public int Stands { get; private set; }

    public bool IsSettled => Difference is null && Unread is null;

    public void BeginRound()
    {
        _before = Difference ?? _before;
        (Difference, Unread, IsIncomparable, IsGone) = (null, null, false, false);
    }

    public void EndRound()
    {
        if (Difference is not null)
            Stands = Difference.IsSameAs(_before) ? Stands + 1 : 1;
    }
}
