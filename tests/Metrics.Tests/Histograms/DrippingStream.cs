namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>Gives its bytes a few at a time, however many are asked for.</summary>
internal sealed class DrippingStream(byte[] bytes, int atATime) : MemoryStream(bytes)
{
    public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(atATime, buffer.Length)]);
}
