namespace RedisLatency.Hosting.Live;

internal sealed class NoView : ILiveView
{
    public void Show(in LiveSnapshot snapshot)
    {
    }

    public void Dispose()
    {
    }
}
