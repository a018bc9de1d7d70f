using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// Shows how a run goes on. Fed by the reporter thread once per interval, never by the thread that measures; disposed
/// before the summary is printed, which gives the terminal back as it was.
/// </summary>
public interface ILiveView : IDisposable
{
    /// <summary>Shows the state; returns without waiting for the terminal to take it.</summary>
    void Show(in LiveSnapshot snapshot);
}

internal sealed class NoView : ILiveView
{
    public void Show(in LiveSnapshot snapshot)
    {
    }

    public void Dispose()
    {
    }
}

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
