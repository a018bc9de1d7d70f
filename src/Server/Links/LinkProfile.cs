namespace RedisLatency.Server.Links;

/// <summary>What a link does, each way by itself.</summary>
public sealed record LinkProfile
{
    /// <summary>Towards where the link leads.</summary>
    public LinkWay Forward { get; init; } = new();

    /// <summary>Back from there.</summary>
    public LinkWay Back { get; init; } = new();

    /// <summary>What all chance begins with: the same seed and the same chunks give the same fates.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The same delay both ways.</summary>
    public static LinkProfile Symmetric(TimeSpan delay) => Of(delay, delay);

    /// <summary>A delay for each way.</summary>
    public static LinkProfile Of(TimeSpan forward, TimeSpan back) => new()
    {
        Forward = new LinkWay { Delay = forward },
        Back = new LinkWay { Delay = back },
    };

    /// <summary>One of the two ways.</summary>
    public LinkWay this[LinkDirection direction] => direction == LinkDirection.Forward ? Forward : Back;
}

/// <summary>One of the two ways through a link.</summary>
public enum LinkDirection
{
    /// <summary>From whoever connected to the link to where it leads.</summary>
    Forward,

    /// <summary>From where it leads back to whoever connected.</summary>
    Back,
}

/// <summary>What a link does to what goes one way through it. The default is nothing.</summary>
public sealed record LinkWay
{
    /// <summary>How long everything takes.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>What varies in it; null for nothing.</summary>
    public Jitter? Jitter { get; init; }

    /// <summary>Bytes per second; zero for as many as the machine moves.</summary>
    public long Rate { get; init; }

    /// <summary>When nothing comes out: it waits inside, and comes out at the end in its order.</summary>
    public IReadOnlyList<LinkSpan> Stalls { get; init; } = [];

    /// <summary>
    /// When the way is cut: TCP connections are reset and refused, whichever way is cut; datagrams of this way are
    /// dropped.
    /// </summary>
    public IReadOnlyList<LinkSpan> Cuts { get; init; } = [];

    /// <summary>The probability that a datagram is lost.</summary>
    public double Loss { get; init; }

    /// <summary>The probability that a datagram comes out twice.</summary>
    public double Duplicate { get; init; }

    /// <summary>
    /// The probability that a datagram is held back by <see cref="ReorderBy"/>, so that others pass it.
    /// </summary>
    public double Reorder { get; init; }

    /// <summary>How long such a datagram is held back besides its delay.</summary>
    /// <value>The default is 10 ms: more than the distance between datagrams, or none passes it.</value>
    public TimeSpan ReorderBy { get; init; } = TimeSpan.FromMilliseconds(10);
}

/// <summary>A stretch of a link's life.</summary>
/// <param name="At">When it begins, from the link's start.</param>
/// <param name="For">How long it lasts.</param>
public readonly record struct LinkSpan(TimeSpan At, TimeSpan For)
{
    /// <summary>When it is over, from the link's start.</summary>
    public TimeSpan End => At + For;
}
