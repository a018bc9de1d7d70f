using System.Diagnostics;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Redis.Tests.Lanes;

/// <summary>Steps that the tests of lanes share.</summary>
internal static class LaneTest
{
    public static RawLane Open(
        string endpoint,
        RespPreference protocol = RespPreference.Auto,
        string[]? publish = null,
        string[]? subscribe = null,
        bool busyPoll = false,
        bool portable = false) =>
        RawLane.Open(
            RedisEndpoint.Parse(endpoint),
            Patience.Connection with { Protocol = protocol, IsPortable = portable },
            new LaneOptions
            {
                PublishChannels = publish ?? ["ping"],
                SubscribeChannels = subscribe ?? ["ping"],
                BusyPoll = busyPoll,
            });

    /// <summary>An end for what must not hang, however many other tests the machine has to do meanwhile.</summary>
    public static long Soon =>
        Stopwatch.GetTimestamp() + (long)(ServiceProcess.LimitAgainstHangs.TotalSeconds * Stopwatch.Frequency);

    /// <summary>Waits for the next message, through early returns.</summary>
    public static LaneMessage Receive(IPubSubLane lane)
    {
        var until = Soon;
        LaneMessage message;
        while (!lane.TryReceive(until, out message))
        {
            if (Stopwatch.GetTimestamp() > until)
                throw new TimeoutException("No message came.");
        }

        return message;
    }

    /// <summary>A message's bytes, to compare after the next call.</summary>
    public static byte[] ReceiveBytes(IPubSubLane lane) => Receive(lane).Payload.ToArray();
}
