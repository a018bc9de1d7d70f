using System.Diagnostics;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server.Clients;

internal sealed class MessageDelivery(
    FaultScript faults, FlushQueue flushes, OutputBufferLimit limit, ServerStatistics statistics)
{
    private readonly RespWriter _scratch = new();
    private readonly long _softTime = TimestampSpan.FromDuration(limit.SoftTime);

    public ChannelTable Channels { get; } = new("message"u8, own => own.Channels);

    public ChannelTable Patterns { get; } = new("pmessage"u8, own => own.Patterns);

    public ChannelTable ShardChannels { get; } = new("smessage"u8, own => own.ShardChannels);

    /// <returns>How many received it; a client counts once for its channel and once per pattern that matches.</returns>
    public int Publish(ReadOnlySpan<byte> channel, ReadOnlySpan<byte> payload)
    {
        var receivers = Deliver(Channels.Find(channel), payload);
        if (Patterns.Count == 0)
            return receivers;
        foreach (var pattern in Patterns.All)
        {
            if (!GlobPattern.IsMatch(pattern.Name, channel))
                continue;
            foreach (var subscriber in pattern.Subscribers)
                Deliver(subscriber, pattern, channel, payload);
            receivers += pattern.Subscribers.Count;
        }

        return receivers;
    }

    public int PublishToShard(ReadOnlySpan<byte> channel, ReadOnlySpan<byte> payload) =>
        Deliver(ShardChannels.Find(channel), payload);

    public void Forget(ClientConnection client)
    {
        foreach (var table in (ReadOnlySpan<ChannelTable>)[Channels, Patterns, ShardChannels])
        {
            foreach (var name in table.Of(client).ToArray())
                table.Unsubscribe(name, client);
        }
    }

    private int Deliver(Channel? channel, ReadOnlySpan<byte> payload)
    {
        if (channel is null)
            return 0;
        foreach (var subscriber in channel.Subscribers)
            Deliver(subscriber, channel, default, payload);
        return channel.Subscribers.Count;
    }

    private void Deliver(
        ClientConnection client, Channel channel, ReadOnlySpan<byte> channelOfPattern, ReadOnlySpan<byte> payload)
    {
        // Once its limit is exceeded a client is as good as closed: nothing more may pile up on it.
        if (client.ClosesNow)
            return;
        if (faults.HasMessageFaults)
        {
            _scratch.Clear();
            Write(_scratch, client.Protocol, channel, channelOfPattern, payload);
            faults.DeliverMessage(client, channelOfPattern.IsEmpty ? channel.Name : channelOfPattern, _scratch.Written);
        }
        else
        {
            Write(client.Output.Writer, client.Protocol, channel, channelOfPattern, payload);
        }

        CheckLimit(client);
        flushes.Add(client);
    }

    private static void Write(
        RespWriter writer,
        int protocol,
        Channel channel,
        ReadOnlySpan<byte> channelOfPattern,
        ReadOnlySpan<byte> payload)
    {
        var isPattern = !channelOfPattern.IsEmpty;
        writer.WriteRaw((protocol, isPattern) switch
        {
            (2, false) => "*3\r\n"u8,
            (2, true) => "*4\r\n"u8,
            (_, false) => ">3\r\n"u8,
            (_, true) => ">4\r\n"u8,
        });
        writer.WriteRaw(channel.MessageHead);
        if (isPattern)
            writer.WriteBulkString(channelOfPattern);
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
