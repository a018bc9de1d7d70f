using System.Diagnostics.CodeAnalysis;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Peers.Probing;

/// <summary>This host's clock, and the responders that answer whoever has the run's key.</summary>
public sealed class AnsweredClock : IDisposable
{
    private readonly ProbeKey _key;
    private readonly ProbeResponderOptions _options;

    /// <summary>Nobody is answered yet.</summary>
    /// <param name="run">The run's number.</param>
    /// <param name="answerer">How this process signs.</param>
    public AnsweredClock(ulong run, ulong answerer)
    {
        _key = new ProbeSecret().KeyOf(run);
        _options = new ProbeResponderOptions
        {
            Run = run,
            Answerer = answerer,
            Key = _key,
            Status = () => Watch.Status,
        };
    }

    /// <summary>The clock; its owner samples it.</summary>
    public HostClockWatch Watch { get; } = new();

    /// <summary>Who answers over UDP; null for nobody.</summary>
    public ProbeResponder? Udp { get; private set; }

    /// <summary>Who answers through Redis; null for nobody.</summary>
    public ProbeResponder? Redis { get; private set; }

    /// <summary>How many questions were answered.</summary>
    public long Answered => (Udp?.Counts.Answered ?? 0) + (Redis?.Counts.Answered ?? 0);

    /// <summary>How it can be asked, for peers alone; null where nobody answers.</summary>
    public ProbeOffer? Offer => (Udp ?? Redis) is null
        ? null
        : new ProbeOffer(_key.Reveal()) { Udp = OfferedAddress?.ToString(), Redis = Redis is not null };

    // Nobody can be sent to every address: the machine's name is the best guess then, and askers can be given a better
    // one.
    private ProbeAddress? OfferedAddress => Udp?.Address is { IsAnyHost: true } any
        ? any with { Host = Environment.MachineName }
        : Udp?.Address;

    /// <summary>Answers over UDP from now on.</summary>
    /// <returns>False where the port cannot be had, and why.</returns>
    public bool TryListen(ProbeAddress address, [NotNullWhen(false)] out string? problem)
    {
        var isListening = ProbeResponder.TryOnUdp(address, _options, out var responder, out problem);
        Udp = responder;
        return isListening;
    }

    /// <summary>Answers through Redis from now on.</summary>
    /// <inheritdoc cref="ProbeResponder.OnRedis" path="/param"/>
    public void Listen(string name, Func<IPubSubLane> open) => Redis = ProbeResponder.OnRedis(name, open, _options);

    /// <inheritdoc/>
    public void Dispose()
    {
        Udp?.Dispose();
        Redis?.Dispose();
        Watch.Dispose();
    }
}
