namespace RedisLatency.Server.Links;

internal interface IDueAction
{
    void Act();

    /// <summary>The link ends before it is due.</summary>
    void Abandon()
    {
    }
}
