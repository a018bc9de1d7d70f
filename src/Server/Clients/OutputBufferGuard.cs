using System.Diagnostics;

namespace RedisLatency.Server.Clients;

/// <summary>Drops subscribers whose output exceeds the limit, as Redis does.</summary>
internal sealed class OutputBufferGuard(OutputBufferLimit limit, ServerStatistics statistics)
{
    private readonly long _softTime = (long)(limit.SoftTime.TotalSeconds * Stopwatch.Frequency);

    public void Check(ClientConnection client)
    {
        long pending = client.Output.Pending;
        if (limit.HardBytes > 0 && pending > limit.HardBytes)
            Drop(client);
        else if (limit.SoftBytes > 0 && pending > limit.SoftBytes)
            CheckSoftTime(client);
        else
            client.OverSoftLimitSince = 0;
    }

    private void CheckSoftTime(ClientConnection client)
    {
        var now = Stopwatch.GetTimestamp();
        if (client.OverSoftLimitSince == 0)
            client.OverSoftLimitSince = now;
        else if (now - client.OverSoftLimitSince > _softTime)
            Drop(client);
    }

    private void Drop(ClientConnection client)
    {
        if (client.ClosesNow)
            return;
        client.ClosesNow = true;
        statistics.SubscribersDropped++;
    }
}
