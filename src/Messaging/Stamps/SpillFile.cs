using System.Runtime.InteropServices;

namespace RedisLatency.Messaging.Stamps;

/// <summary>
/// Whole blocks of stamps on a disk, each in a slot of a file. A slot is used again once its block was read, so the
/// file is never longer than what waited at the same time. It is made with the first block, and deleted at the end.
/// </summary>
internal sealed class SpillFile(string path, int blockLength) : IDisposable
{
    private readonly Stack<long> _freeSlots = new();
    private FileStream? _file;
    private long _slots;

    private long BlockBytes => (long)blockLength * Marshal.SizeOf<MessageStamps>();

    /// <returns>Its slot.</returns>
    /// <exception cref="IOException">There is no room, or no such folder.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be made.</exception>
    public long Write(ReadOnlySpan<MessageStamps> block)
    {
        _file ??= new FileStream(
            path, FileMode.Create, FileAccess.ReadWrite, FileShare.None, bufferSize: 0, FileOptions.DeleteOnClose);
        var isReused = _freeSlots.TryPeek(out var slot);
        if (!isReused)
            slot = _slots;
        RandomAccess.Write(_file.SafeFileHandle, MemoryMarshal.AsBytes(block), slot * BlockBytes);
        if (isReused)
            _freeSlots.Pop();
        else
            _slots++;
        return slot;
    }

    /// <summary>Reads a block back; its slot is free then, whether it could be read or not.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public void Read(long slot, Span<MessageStamps> block)
    {
        _freeSlots.Push(slot);
        var bytes = MemoryMarshal.AsBytes(block);
        for (var offset = slot * BlockBytes; !bytes.IsEmpty;)
        {
            var count = RandomAccess.Read(_file!.SafeFileHandle, bytes, offset);
            if (count == 0)
                throw new EndOfStreamException($"{path} is shorter than what was written to it.");
            bytes = bytes[count..];
            offset += count;
        }
    }

    public void Dispose() => _file?.Dispose();
}
