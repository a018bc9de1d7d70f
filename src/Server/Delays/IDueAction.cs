namespace RedisLatency.Server.Delays;

/// <summary>Something that happens on the link's thread at its time.</summary>
internal interface IDueAction
{
    void Act();

    /// <summary>The link ends before it is due.</summary>
    void Abandon()
    {
    }
}
