namespace RedisLatency.Sync.RedisShake;

/// <summary>One option of a section.</summary>
/// <param name="Name">As the file has it.</param>
/// <param name="Kind">What its value is.</param>
/// <param name="Key">The option here that it sets; null where it sets none, or with others the endpoint.</param>
internal sealed record ShakeOption(string Name, ShakeKind Kind, string? Key = null)
{
    // Where it has no effect here: why, and the value of which nothing need be said.
    public string? Reason { get; init; }

    public string? Usual { get; init; }

    // The only value that it may have.
    public string? Only { get; init; }

    // What an option here is given that is put together from it.
    public string Form { get; init; } = "{0}";

    public string Unset { get; init; } = string.Empty;

    public long Most { get; init; } = long.MaxValue;

    public char? Separator { get; init; }
}
