using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Presence;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Producer.Measuring;

namespace RedisLatency.Producer.OneWay;

/// <summary>Begins to ask a consumer for its time, by the ways that it offers and the options allow.</summary>
internal static class PairOpening
{
    public static (PairProbes? Probes, string? Problem) Open(
        ResolvedTarget target, ProducerPlan plan, ulong consumer, ProbeOffer? offer, bool areOneClock)
    {
        var choice = plan.Options.Clocks.Probe;
        if (choice.Mode == ProbeMode.Off)
            return (null, plan.IsNoEcho ? "neither echoes nor probes: nothing compares the two clocks" : null);
        // Where messages come back, they are probes enough to check a claim; where they do not, nothing else is.
        var isEnough = (areOneClock || offer is null) && !plan.IsNoEcho;
        if (choice.Mode == ProbeMode.Auto && isEnough)
            return (null, null);
        if (offer is null)
            return (null, NoneBut("offers no probes", plan));
        if (ProbeKey.Parse(offer.Key) is not { } key)
            return (null, NoneBut("makes an offer of probes that cannot be read", plan));
        var routes = RoutesOf(target, plan, choice, offer).ToList();
        if (routes.Count == 0)
            return (null, NoneBut("answers no probes through Redis", plan));
        var options = new ProbeExchangeOptions { Run = plan.RunNumber, Answerer = consumer, Key = key };
        if (plan.Options.Clocks.ProbeRate is { } rate)
            options = options with { UdpPairsPerSecond = rate, RedisPairsPerSecond = rate };

        return (new PairProbes(new ProbeExchange(options, routes)), null);
    }

    private static string NoneBut(string why, ProducerPlan plan) =>
        $"the consumer {why}, so {(plan.IsNoEcho ? "there are none" : "echoes are the only ones")}";

    private static IEnumerable<ProbeRoute> RoutesOf(
        ResolvedTarget target, ProducerPlan plan, ProbeChoice choice, ProbeOffer offer)
    {
        if (choice.Address is { } address)
            yield return ProbeRoute.Udp(address);
        if (offer.Redis)
        {
            yield return ProbeRoute.Redis(
                $"redis {target.Name}",
                () => target.OpenLane(ProbeChannels.ToAsk(plan.Run, "redislatency-producer-probe")));
        }
    }
}
