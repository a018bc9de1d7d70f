using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Peers.Probing;

/// <summary>A way to a peer that may be tried.</summary>
public sealed class ProbeRoute
{
    private readonly Func<IProbeLane> _create;

    private ProbeRoute(string name, bool isUdp, Func<IProbeLane> create) =>
        (Name, IsUdp, _create) = (name, isUdp, create);

    /// <summary>Where it leads, as it may be shown.</summary>
    public string Name { get; }

    /// <summary>Whether it goes from host to host.</summary>
    public bool IsUdp { get; }

    /// <summary>Directly, from host to host.</summary>
    public static ProbeRoute Udp(ProbeAddress address) =>
        new(address.ToString(), isUdp: true, () => UdpProbeLane.To(address));

    /// <summary>Through Redis.</summary>
    /// <param name="name">The server, without a password.</param>
    /// <param name="open">
    /// Opens a lane that publishes to <see cref="ProbeChannels.Questions"/> and subscribes to
    /// <see cref="ProbeChannels.Answers"/>; called on another thread, again after a lost connection.
    /// </param>
    public static ProbeRoute Redis(string name, Func<IPubSubLane> open) =>
        new(name, isUdp: false, () => new RedisProbeLane(name, open));

    internal static ProbeRoute Over(string name, Func<IProbeLane> create) => new(name, isUdp: true, create);

    internal IProbeLane CreateLane() => _create();
}
