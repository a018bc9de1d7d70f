using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;

namespace RedisLatency.Peers.Probing;

/// <summary>
/// Turns a question into its answer, in place, or counts why not. Cheap looks come first; the seal comes before
/// anything that costs or remembers; and who does not have the key is never answered. Used by one thread; allocates
/// nothing.
/// </summary>
internal sealed class ProbeDesk(ProbeResponderOptions options) : IDisposable
{
    private readonly DatagramSeal _seal = new(options.Key);
    private readonly AskerTable _askers = new(options);
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
