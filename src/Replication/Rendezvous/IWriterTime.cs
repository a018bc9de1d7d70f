namespace RedisLatency.Replication.Rendezvous;

internal interface IWriterTime
{
    bool TryConvert(long ownNs, out long writerNs, out long errorNs);
}
