using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

/// <summary>What a live view says about the run throughout.</summary>
/// <param name="Title">What is measured, of whom: <c>RTT · raw · redis://10.0.0.5:6379 · run 7f3a</c>.</param>
public sealed record LiveDescription(string Title)
{
    /// <inheritdoc cref="LiveDescription(string)" path="/param"/>
    public string Title { get; } = PlainText.Clean(Title);

    /// <summary>The series from the actual send, by the name that thresholds have for it.</summary>
    public string Latency { get; init; } = "rtt";

    /// <summary>The series from the intended send.</summary>
    public string FromIntended { get; init; } = "rtt-intended";

    public string Counted { get; init; } = "messages";

    /// <summary>What <see cref="LiveSnapshot.Sent"/> counts.</summary>
    public string Sent { get; init; } = "sent";

    /// <summary>What <see cref="LiveSnapshot.Returned"/> counts; null where nothing comes back.</summary>
    public string? Returned { get; init; } = "returned";

    /// <summary>Whether the time left is shown, where it can be told, in the place of the phase's name.</summary>
    public bool HasTimeLeft { get; init; }

    /// <summary>What <see cref="LiveSnapshot.Errors"/> counts.</summary>
    public string Errors { get; init; } = "errors";

    /// <summary>Whether what is counted can be lost, late, duplicated or reordered.</summary>
    public bool CanBeLost { get; init; } = true;
}
