using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Filters;

/// <summary>
/// A function in Lua. Where one of its calls cannot be ended, the run fails, and nobody waits for the thread it is on.
/// </summary>
internal sealed class FunctionPlan(string text, SyncFault? fault = null)
{
    private volatile bool _isGivenUp;

    public string Text => text;

    public bool IsGivenUp => _isGivenUp;

    public void GiveUp(Exception failure)
    {
        fault?.Set(failure);
        _isGivenUp = true;
    }
}
