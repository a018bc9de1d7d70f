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
