using System.Buffers.Binary;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// Holds the kernel's CPU latency request: while the file is open, no processor of the machine enters an idle state
/// that takes longer to leave. Source: Linux, Documentation/power/pm_qos_interface.rst.
/// </summary>
public sealed class CpuDmaLatency : IDisposable
{
    /// <summary>The kernel's file; writing needs root.</summary>
    public const string Path = "/dev/cpu_dma_latency";

    private readonly FileStream _file;

    private CpuDmaLatency(FileStream file, int microseconds) => (_file, Microseconds) = (file, microseconds);

    /// <summary>The longest wake-up allowed, in microseconds; 0 keeps the processors awake.</summary>
    public int Microseconds { get; }

    /// <summary>Makes the request, for the whole machine, until it is disposed of.</summary>
    /// <exception cref="RunRefusedException">There is no such file here, or it may not be written.</exception>
    public static CpuDmaLatency Hold(int microseconds)
    {
        try
        {
            // Unbuffered: the request lasts as long as the file is open, and is made by the write itself.
            var file = new FileStream(Path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
            Span<byte> value = stackalloc byte[sizeof(int)];
            BinaryPrimitives.WriteInt32LittleEndian(value, microseconds);
            file.Write(value);
            return new CpuDmaLatency(file, microseconds);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RunRefusedException(
                $"--cpu-dma-latency {microseconds}: the processors cannot be held awake: {Path}: {failure.Message}",
                failure);
        }
    }

    public void Dispose() => _file.Dispose();
}
