using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Peers.Probing;

/// <summary>
/// Answers the clock probes of whoever has the run's key, on a thread of its own. However much else comes, it costs no
/// more than that thread's time: no memory, and never a byte in return.
/// </summary>
public sealed class ProbeResponder : IDisposable
{
    private const long WaitSliceNs = 100_000_000;

    private readonly IProbeLane _lane;
    private readonly ProbeAnswers _desk;
    private readonly Thread _thread;
    private volatile bool _isStopped;

    internal ProbeResponder(IProbeLane lane, string threadName, ProbeResponderOptions options)
    {
        _lane = lane;
        _desk = new ProbeAnswers(options);
        _thread = new Thread(Run) { Name = threadName, IsBackground = true };
        _thread.Start();
    }

    /// <summary>Where it is asked, as it may be shown.</summary>
    public string Name => _lane.Name;

    /// <summary>Where it listens over UDP, with the port that it got; null where it is asked through Redis.</summary>
    public ProbeAddress? Address => (_lane as UdpProbeLane)?.Address;

    /// <summary>What is wrong with the lane now; null where nothing is known to be.</summary>
    public string? Problem => _lane.Problem;

    /// <summary>What came so far.</summary>
    public ProbeResponderCounts Counts => _desk.Counts;

    /// <summary>Listens on a UDP port.</summary>
    /// <param name="address">The port.</param>
    /// <param name="options">Whom to answer.</param>
    /// <param name="responder">Who listens there.</param>
    /// <param name="problem">Why the port cannot be had, where it cannot.</param>
    public static bool TryOnUdp(
        ProbeAddress address,
        ProbeResponderOptions options,
        [NotNullWhen(true)] out ProbeResponder? responder,
        [NotNullWhen(false)] out string? problem)
    {
        (responder, problem) = (null, null);
        try
        {
            responder = new ProbeResponder(UdpProbeLane.Bind(address), "redislatency-probe-udp", options);
            return true;
        }
        catch (SocketException failure)
        {
            problem = ProblemOf(address, failure);
            return false;
        }
    }

    /// <summary>Whether a UDP port could be had: it is taken and given back.</summary>
    /// <returns>Why not; null where it could.</returns>
    public static string? ProblemOfUdp(ProbeAddress address)
    {
        try
        {
            UdpProbeLane.Bind(address).Dispose();
            return null;
        }
        catch (SocketException failure)
        {
            return ProblemOf(address, failure);
        }
    }

    /// <summary>Listens on a channel of Redis; a server that refuses is a <see cref="Problem"/>, no failure.</summary>
    /// <param name="name">The server, without a password.</param>
    /// <param name="open">
    /// Opens a lane that subscribes to <see cref="ProbeChannels.Questions"/> and publishes to
    /// <see cref="ProbeChannels.Answers"/>; called on another thread, again after a lost connection.
    /// </param>
    /// <param name="options">Whom to answer.</param>
    public static ProbeResponder OnRedis(string name, Func<IPubSubLane> open, ProbeResponderOptions options) =>
        new(new RedisProbeLane(name, open), "redislatency-probe-redis", options);

    /// <summary>Ends it; returns when its thread has ended.</summary>
    public void Dispose()
    {
        _isStopped = true;
        _thread.Join();
    }

    private static string ProblemOf(ProbeAddress address, SocketException failure) =>
        $"--probe {address}: cannot listen there: {failure.Message}";

    private void Run()
    {
        // One byte more than a datagram, so that a longer one shows.
        Span<byte> buffer = GC.AllocateArray<byte>(ProbeDatagram.Length + 1, pinned: true);
        while (!_isStopped)
        {
            _lane.Open();
            var length = _lane.Receive(MonotonicClock.NowNs() + WaitSliceNs, buffer, out var receivedNs);
            if (length < 0 || !_desk.TryAnswer(buffer[..length], receivedNs))
                continue;
            if (_lane.TrySend(buffer[..length]))
                Counts.Answered++;
            else
                Counts.Unsent++;
        }

        _lane.Dispose();
        _desk.Dispose();
    }
}

/// <summary>
/// Turns a question into its answer, in place, or counts why not. Cheap looks come first; the seal comes before
/// anything that costs or remembers; and who does not have the key is never answered. Used by one thread; allocates
/// nothing.
/// </summary>
internal sealed class ProbeAnswers(ProbeResponderOptions options) : IDisposable
{
    private readonly DatagramSeal _seal = new(options.Key);
    private readonly RequesterTable _askers = new(options);
    private TokenBucket _all = new(options.Rate, options.Rate / 4, MonotonicClock.NowNs());

    public ProbeResponderCounts Counts { get; } = new();

    /// <summary>Whether the datagram, received at t2, has become an answer to send.</summary>
    public bool TryAnswer(Span<byte> datagram, long receivedNs)
    {
        switch (Judge(datagram, out var fields))
        {
            case DatagramDefect.None:
                return IsAllowed(fields, receivedNs) && Answer(datagram, receivedNs);
            case DatagramDefect.WrongSize:
                Counts.WrongSize++;
                return false;
            case DatagramDefect.OtherVersion:
                Counts.OtherVersion++;
                return false;
            case DatagramDefect.ForAnother:
                Counts.ForAnother++;
                return false;
            case DatagramDefect.Unauthenticated:
                Counts.Unauthenticated++;
                return false;
            default:
                Counts.Foreign++;
                return false;
        }
    }

    public void Dispose() => _seal.Dispose();

    private DatagramDefect Judge(ReadOnlySpan<byte> datagram, out ProbeFields fields)
    {
        var defect = ProbeDatagram.Read(datagram, options.Run, out fields);
        if (defect != DatagramDefect.None)
            return defect;
        if (fields.Kind != ProbeKind.Question)
            return DatagramDefect.Foreign;
        if (fields.Answerer != options.Answerer)
            return DatagramDefect.ForAnother;
        return _seal.IsIntact(datagram) ? DatagramDefect.None : DatagramDefect.Unauthenticated;
    }

    private bool IsAllowed(in ProbeFields fields, long nowNs)
    {
        // The common bucket is looked at last: a question that is refused for its asker's sake costs nobody else.
        switch (_askers.Judge(fields.Asker, fields.Sequence, nowNs))
        {
            case AskerVerdict.Repeated:
                Counts.Repeated++;
                return false;
            case AskerVerdict.Answer when _all.HasToken(nowNs):
                _all.Take();
                return true;
            default:
                Counts.OverRate++;
                return false;
        }
    }

    private bool Answer(Span<byte> datagram, long receivedNs)
    {
        ProbeDatagram.WriteAnswer(datagram, receivedNs, options.Status());
        ProbeDatagram.StampEchoed(datagram, MonotonicClock.NowNs());
        _seal.Close(datagram);
        return true;
    }
}
