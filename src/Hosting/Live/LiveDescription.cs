using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

/// <summary>What a live view says about the run throughout.</summary>
/// <param name="Title">What is measured, of whom: <c>RTT · raw · redis://10.0.0.5:6379 · run 7f3a</c>.</param>
public sealed record LiveDescription(string Title)
{
    /// <inheritdoc cref="LiveDescription(string)" path="/param"/>
    public string Title { get; } = PlainText.Clean(Title);

    /// <summary>What the latencies are.</summary>
    public string Latency { get; init; } = "RTT";

    /// <summary>What is counted.</summary>
    public string Counted { get; init; } = "messages";

    /// <summary>What <see cref="LiveSnapshot.Sent"/> counts.</summary>
    public string Sent { get; init; } = "sent";

    /// <summary>
    /// What <see cref="LiveSnapshot.Returned"/> counts; null where nothing comes back to this process.
    /// </summary>
    public string? Returned { get; init; } = "returned";

    /// <summary>Whether the time left is shown, where it can be told, in the place of the phase's name.</summary>
    public bool HasTimeLeft { get; init; }
}
