namespace RedisLatency.Server.Commands;

/// <summary>Is told of every write that a server was asked for.</summary>
internal interface IWriteObserver
{
    /// <summary>On the server's thread, which must not be kept; the words are valid until it returns.</summary>
    void Saw(Redis.Resp.RespRequestReader words);
}
