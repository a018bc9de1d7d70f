using System.Diagnostics;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests;

/// <summary>What the tests of probes share: a run, its key, and waits that end with what they wait for.</summary>
internal static class SampleProbes
{
    public const ulong Run = 7;
    public const ulong Answerer = 11;
    public const ulong Asker = 13;

    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromSeconds(60);

    public static ProbeKey Key { get; } = new ProbeSecret().KeyOf(Run);

    public static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static ProbeResponder Responder(
        string address = "udp://127.0.0.1:0", ProbeResponderOptions? options = null) =>
        ProbeResponder.TryOnUdp(
            ProbeAddress.Parse(address)!, options ?? Answering(), out var responder, out var problem)
            ? responder
            : throw new InvalidOperationException(problem);

    public static ProbeResponderOptions Answering(
        double rate = 1e6, double ratePerAsker = 1e6, ProbeKey? key = null, int mostAskers = 16) => new()
        {
            Run = Run,
            Answerer = Answerer,
            Key = key ?? Key,
            Status = () => ClockStatus.Unknown(5),
            Rate = rate,
            RatePerAsker = ratePerAsker,
            MostAskers = mostAskers,
        };

    public static ProbeExchangeOptions Asking(ProbeKey? key = null, TimeSpan? silence = null) => new()
    {
        Run = Run,
        Answerer = Answerer,
        Key = key ?? Key,
        UdpPairsPerSecond = 200,
        RedisPairsPerSecond = 200,
        SilenceLimit = silence ?? LimitAgainstHangs,
    };

    /// <summary>A sealed question.</summary>
    public static byte[] Question(
        long sequence, ulong asker = Asker, ProbeKey? key = null, ulong run = Run, ulong answerer = Answerer)
    {
        var datagram = new byte[ProbeDatagram.Length];
        ProbeDatagram.WriteQuestion(
            datagram, new ProbeFields(ProbeKind.Question, run, asker, answerer, sequence, MonotonicClock.NowNs()));
        Seal(datagram, key ?? Key);
        return datagram;
    }

    public static void Seal(Span<byte> datagram, ProbeKey key)
    {
        using var seal = new DatagramSeal(key);
        seal.Close(datagram);
    }

    /// <summary>Takes so many answers.</summary>
    public static async Task<List<ExchangedProbe>> Take(ProbeExchange exchange, int count)
    {
        var taken = new List<ExchangedProbe>();
        await Until(
            () =>
            {
                while (taken.Count < count && exchange.TryTake(out var probe))
                    taken.Add(probe);
                return taken.Count >= count;
            },
            () => $"{taken.Count} of {count} answers by {exchange.Route.Name}: {exchange.Problem}");
        return taken;
    }

    public static async Task Until(Func<bool> condition, Func<string> what)
    {
        var start = Stopwatch.StartNew();
        while (!condition())
        {
            if (start.Elapsed > LimitAgainstHangs)
                throw new TimeoutException(what());
            await Task.Delay(5, Cancellation);
        }
    }
}
