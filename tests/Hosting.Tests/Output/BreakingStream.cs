namespace RedisLatency.Hosting.Output;

/// <summary>Takes so many writes, then behaves like a pipe whose reader has gone.</summary>
internal sealed class BreakingStream(int writesUntilBroken, int error = 32) : MemoryStream
{
    private int _left = writesUntilBroken;

    public int Refused { get; private set; }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (_left-- <= 0)
        {
            Refused++;
            throw new IOException("Broken pipe", error);
        }

        base.Write(buffer);
    }
}
