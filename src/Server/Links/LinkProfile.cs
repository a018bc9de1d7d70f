namespace RedisLatency.Server.Links;

/// <summary>What a link does, each way by itself.</summary>
public sealed record LinkProfile
{
    /// <summary>Towards where the link leads.</summary>
    public LinkSettings Forward { get; init; } = new();

    /// <summary>Back from there.</summary>
    public LinkSettings Back { get; init; } = new();

    /// <summary>What all chance begins with: the same seed and the same chunks give the same fates.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The same delay both ways.</summary>
    public static LinkProfile Symmetric(TimeSpan delay) => Of(delay, delay);

    /// <summary>A delay for each way.</summary>
    public static LinkProfile Of(TimeSpan forward, TimeSpan back) => new()
    {
        Forward = new LinkSettings { Delay = forward },
        Back = new LinkSettings { Delay = back },
    };

    /// <summary>One of the two ways.</summary>
    public LinkSettings this[LinkDirection direction] => direction == LinkDirection.Forward ? Forward : Back;
}
