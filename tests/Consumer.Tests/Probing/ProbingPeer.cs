using System.Diagnostics;
using RedisLatency.Consumer.Tests.Serving;
using RedisLatency.Fixtures;
using RedisLatency.Messaging.Sending;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Consumer.Tests.Probing;

/// <summary>Asks the Consumer for its time as a Producer does: with what its hello offers.</summary>
internal static class ProbingPeer
{
    /// <summary>How the Consumer answers a hello.</summary>
    public static PresentConsumer Find(RedisServerProcess server)
    {
        using var producer = new FramedProducer(server, "asker");
        return producer.FindConsumers().ShouldHaveSingleItem();
    }

    public static ProbeRoute Udp(PresentConsumer consumer) =>
        ProbeRoute.Udp(ProbeAddress.Parse(consumer.Content!.Probe!.Udp)!);

    public static ProbeRoute Redis(RedisServerProcess server) => ProbeRoute.Redis(
        server.Uri,
        () => RawLane.Open(
            RedisEndpoint.Parse(server.Uri),
            new RedisConnectionOptions(),
            ProbeChannels.ToAsk(RunNames.DefaultRun, "probing-peer")));

    /// <summary>Asks until so many answers have come.</summary>
    public static async Task<List<ExchangedProbe>> Ask(PresentConsumer consumer, ProbeRoute route, int count)
    {
        using var exchange = new ProbeExchange(
            new ProbeExchangeOptions
            {
                Run = RunIdentity.OfRun(consumer.Content!.Run),
                Answerer = consumer.Id,
                Key = ProbeKey.Parse(consumer.Content.Probe!.Key)!,
                UdpPairsPerSecond = 100,
                RedisPairsPerSecond = 100,
            },
            [route]);
        var probes = new List<ExchangedProbe>();
        var start = Stopwatch.StartNew();
        while (probes.Count < count)
        {
            if (start.Elapsed > ServiceProcess.LimitAgainstHangs)
                throw new TimeoutException($"{probes.Count} answers: {exchange.Problem}");
            if (exchange.TryTake(out var probe))
                probes.Add(probe);
            else
                await Task.Delay(5, ConsumerTest.Cancellation);
        }

        return probes;
    }
}
