using RedisLatency.Messaging.Frames;

namespace RedisLatency.Messaging.Sending;

/// <summary>Makes the messages of a stream, each a frame or a plain count.</summary>
internal sealed class OutgoingMessages
{
    private readonly byte[] _counter = new byte[CounterPayload.MaxLength];
    private readonly FrameBuffer _frame;
    private readonly PayloadBytes _payloads;
    private readonly bool _isCounter;

    public OutgoingMessages(SenderOptions options)
    {
        _isCounter = options.IsCounter;
        _frame = new FrameBuffer(options.Run, options.Producer, options.Stream, options.PayloadSize.Max);
        _payloads = new PayloadBytes(options.PayloadSize, options.Seed);
        _frame.SetPayload(_payloads.Next());
    }

    /// <summary>The count that sequence 0 of this phase is sent as; warm-up has used those below.</summary>
    public long CounterBase { get; set; }

    /// <summary>Does what can be done before the message is due: choosing and checksumming its payload.</summary>
    public void Prepare()
    {
        if (!_isCounter && !_payloads.IsConstant)
            _frame.SetPayload(_payloads.Next());
    }

    /// <summary>Stamps the next message; its bytes are valid until the next call.</summary>
    public ReadOnlySpan<byte> Stamp(FrameFlags flags, long sequence, long intended, long sent)
    {
        if (_isCounter)
            return _counter.AsSpan(0, CounterPayload.Write(_counter, CounterBase + sequence));
        _frame.Stamp(MessageKind.Message, flags, sequence, intended, sent);
        return _frame.Bytes;
    }
}
