using System.Buffers.Binary;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// The payload of a frame of kind Offset, version 1, little-endian: whom it is for, whether more windows will come, and
/// the latest windows, oldest first. <c>docs/frame.md</c> has the table.
/// </summary>
public static class OffsetPayload
{
    /// <summary>The version of this layout, in byte 0.</summary>
    public const byte Version = 1;

    /// <summary>How many windows a frame carries at most.</summary>
    public const int MostWindows = 16;

    /// <summary>The longest payload in bytes.</summary>
    public const int MaxLength = HeaderLength + (MostWindows * WindowLength);

    private const int HeaderLength = 16;
    private const int WindowLength = 64;
    private const byte LastFlag = 1;
    private const byte ProvenFlag = 1;
    private const byte SyntheticFlag = 2;

    /// <summary>Writes a payload.</summary>
    /// <param name="into">At least <see cref="MaxLength"/> bytes.</param>
    /// <param name="instance">The consumer that it is for, as it signs its echoes.</param>
    /// <param name="isLast">Whether the producer will tell no more.</param>
    /// <param name="windows">At most <see cref="MostWindows"/>, in order.</param>
    /// <returns>How many bytes it has.</returns>
    public static int Write(Span<byte> into, ulong instance, bool isLast, ReadOnlySpan<PublishedWindow> windows)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(windows.Length, MostWindows);
        var payload = into[..(HeaderLength + (windows.Length * WindowLength))];
        payload.Clear();
        payload[0] = Version;
        payload[1] = isLast ? LastFlag : (byte)0;
        BinaryPrimitives.WriteUInt16LittleEndian(payload[2..], (ushort)windows.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(payload[8..], instance);
        for (var i = 0; i < windows.Length; i++)
            Write(payload.Slice(HeaderLength + (i * WindowLength), WindowLength), windows[i]);
        return payload.Length;
    }

    /// <summary>Reads a payload.</summary>
    /// <param name="payload">As it came.</param>
    /// <param name="instance">The consumer that it is for.</param>
    /// <param name="isLast">Whether the producer will tell no more.</param>
    /// <param name="windows">Room for <see cref="MostWindows"/>.</param>
    /// <param name="count">How many windows there are.</param>
    /// <returns>Whether it is such a payload, and every window of it possible.</returns>
    public static bool TryRead(
        ReadOnlySpan<byte> payload, out ulong instance, out bool isLast, Span<PublishedWindow> windows, out int count)
    {
        (instance, isLast, count) = (0, false, 0);
        if (payload.Length < HeaderLength || payload[0] != Version)
            return false;
        count = BinaryPrimitives.ReadUInt16LittleEndian(payload[2..]);
        if (count > MostWindows || payload.Length != HeaderLength + (count * WindowLength))
            return false;
        isLast = (payload[1] & LastFlag) != 0;
        instance = BinaryPrimitives.ReadUInt64LittleEndian(payload[8..]);
        for (var i = 0; i < count; i++)
        {
            windows[i] = Read(payload.Slice(HeaderLength + (i * WindowLength), WindowLength));
            if (!windows[i].IsPossible)
                return false;
        }

        return true;
    }

    private static void Write(Span<byte> into, in PublishedWindow window)
    {
        BinaryPrimitives.WriteInt64LittleEndian(into, window.StartNs);
        BinaryPrimitives.WriteInt64LittleEndian(into[8..], window.EndNs);
        BinaryPrimitives.WriteInt64LittleEndian(into[16..], window.ReferenceNs);
        BinaryPrimitives.WriteInt64LittleEndian(into[24..], window.OffsetNs);
        BinaryPrimitives.WriteInt64LittleEndian(into[32..], window.ErrorNs);
        BinaryPrimitives.WriteDoubleLittleEndian(into[40..], window.SkewPpm);
        BinaryPrimitives.WriteDoubleLittleEndian(into[48..], window.DriftPpm);
        into[56] = (byte)window.Break;
        into[57] = (byte)((window.IsProven ? ProvenFlag : 0) | (window.IsSynthetic ? SyntheticFlag : 0));
    }

    private static PublishedWindow Read(ReadOnlySpan<byte> from) => new(
        BinaryPrimitives.ReadInt64LittleEndian(from),
        BinaryPrimitives.ReadInt64LittleEndian(from[8..]),
        BinaryPrimitives.ReadInt64LittleEndian(from[16..]),
        BinaryPrimitives.ReadInt64LittleEndian(from[24..]),
        BinaryPrimitives.ReadInt64LittleEndian(from[32..]),
        BinaryPrimitives.ReadDoubleLittleEndian(from[40..]),
        BinaryPrimitives.ReadDoubleLittleEndian(from[48..]),
        (OffsetBreak)from[56],
        (from[57] & ProvenFlag) != 0)
    {
        IsSynthetic = (from[57] & SyntheticFlag) != 0,
    };
}
