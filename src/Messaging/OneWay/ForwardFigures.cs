using System.Buffers.Binary;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// What a consumer made of one producer's messages by itself: it travels back in a frame of kind Figures. Times in
/// nanoseconds, from the actual send but where it says otherwise.
/// </summary>
/// <param name="Received">Messages that came, each once.</param>
/// <param name="Corrected">Those whose latency was measured: all that follows is of these.</param>
/// <param name="Negatives">How many took less than nothing.</param>
/// <param name="MeanNs">The mean.</param>
/// <param name="MeanFromIntendedNs">The mean from the intended send.</param>
/// <param name="MinNs">The smallest.</param>
/// <param name="MaxNs">The largest.</param>
/// <param name="ErrorNs">The largest bound of any of them.</param>
/// <param name="NegativesBeyondError">How many took less than nothing by more than their own bound.</param>
public readonly record struct ForwardFigures(
    long Received,
    long Corrected,
    long Negatives,
    double MeanNs,
    double MeanFromIntendedNs,
    long MinNs,
    long MaxNs,
    long ErrorNs,
    long NegativesBeyondError)
{
    /// <summary>The version of the payload, in byte 0.</summary>
    public const byte Version = 1;

    /// <summary>The length of the payload in bytes.</summary>
    public const int Length = 80;

    /// <summary>The length of the question in bytes: the version, and from byte 8 whom it is for.</summary>
    public const int QuestionLength = 16;

    /// <summary>Writes the question.</summary>
    /// <param name="into">At least <see cref="QuestionLength"/> bytes.</param>
    /// <param name="instance">The consumer that it is for, as it signs its echoes.</param>
    public static void WriteQuestion(Span<byte> into, ulong instance)
    {
        into[..QuestionLength].Clear();
        into[0] = Version;
        BinaryPrimitives.WriteUInt64LittleEndian(into[8..], instance);
    }

    /// <summary>Reads the question.</summary>
    /// <returns>Whether it is one.</returns>
    public static bool TryReadQuestion(ReadOnlySpan<byte> payload, out ulong instance)
    {
        var isQuestion = payload.Length == QuestionLength && payload[0] == Version;
        instance = isQuestion ? BinaryPrimitives.ReadUInt64LittleEndian(payload[8..]) : 0;
        return isQuestion;
    }

    /// <summary>Writes the payload of the answer.</summary>
    /// <param name="into">At least <see cref="Length"/> bytes.</param>
    public void Write(Span<byte> into)
    {
        into[..Length].Clear();
        into[0] = Version;
        BinaryPrimitives.WriteInt64LittleEndian(into[8..], Received);
        BinaryPrimitives.WriteInt64LittleEndian(into[16..], Corrected);
        BinaryPrimitives.WriteInt64LittleEndian(into[24..], Negatives);
        BinaryPrimitives.WriteDoubleLittleEndian(into[32..], MeanNs);
        BinaryPrimitives.WriteDoubleLittleEndian(into[40..], MeanFromIntendedNs);
        BinaryPrimitives.WriteInt64LittleEndian(into[48..], MinNs);
        BinaryPrimitives.WriteInt64LittleEndian(into[56..], MaxNs);
        BinaryPrimitives.WriteInt64LittleEndian(into[64..], ErrorNs);
        BinaryPrimitives.WriteInt64LittleEndian(into[72..], NegativesBeyondError);
    }

    /// <summary>Reads the payload of the answer.</summary>
    /// <returns>Whether it is one.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out ForwardFigures figures)
    {
        figures = default;
        if (payload.Length != Length || payload[0] != Version)
            return false;
        figures = new ForwardFigures(
            BinaryPrimitives.ReadInt64LittleEndian(payload[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[16..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[24..]),
            BinaryPrimitives.ReadDoubleLittleEndian(payload[32..]),
            BinaryPrimitives.ReadDoubleLittleEndian(payload[40..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[48..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[56..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[64..]),
            BinaryPrimitives.ReadInt64LittleEndian(payload[72..]));
        return figures.Received >= 0 && figures.Corrected >= 0 && figures.Negatives >= 0
            && figures.ErrorNs >= 0 && figures.NegativesBeyondError >= 0
            && double.IsFinite(figures.MeanNs) && double.IsFinite(figures.MeanFromIntendedNs);
    }
}
