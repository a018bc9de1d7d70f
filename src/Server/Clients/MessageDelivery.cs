using System.Diagnostics;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Clients;

internal sealed class MessageDelivery(
    FaultScript faults, FlushQueue flushes, OutputBufferLimit limit, ServerStatistics statistics)
{
    private readonly RespWriter _scratch = new();
    private readonly long _softTime = TimestampSpan.FromDuration(limit.SoftTime);

    public ChannelTable Channels { get; } = new();

    /// <returns>How many received it.</returns>
    public int Publish(ReadOnlySpan<byte> channel, ReadOnlySpan<byte> payload)
    {
        if (Channels.Find(channel) is not { } found)
            return 0;
        foreach (var subscriber in found.Subscribers)
            Deliver(subscriber, found, payload);
        return found.Subscribers.Count;
    }

    public void Forget(ClientConnection client)
    {
        foreach (var name in client.Channels.ToArray())
            Channels.Unsubscribe(name, client);
    }

    private void Deliver(ClientConnection client, Channel channel, ReadOnlySpan<byte> payload)
    {
        // Once its limit is exceeded a client is as good as closed: nothing more may pile up on it.
        if (client.ClosesNow)
            return;
        if (faults.HasMessageFaults)
        {
            _scratch.Clear();
            Write(_scratch, client.Protocol, channel, payload);
            faults.DeliverMessage(client, channel.Name, _scratch.Written);
        }
        else
        {
            Write(client.Output.Writer, client.Protocol, channel, payload);
        }

        CheckLimit(client);
        flushes.Add(client);
    }

    private static void Write(RespWriter writer, int protocol, Channel channel, ReadOnlySpan<byte> payload)
    {
        writer.WriteRaw(protocol == 2 ? "*3\r\n"u8 : ">3\r\n"u8);
        writer.WriteRaw(channel.MessageHead);
        writer.WriteBulkString(payload);
    }

    // Drops a subscriber whose output exceeds the limit, as Redis does.
    private void CheckLimit(ClientConnection client)
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
