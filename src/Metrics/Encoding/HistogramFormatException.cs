namespace RedisLatency.Metrics.Encoding;

/// <summary>Bytes or text that should hold a histogram or an interval log and do not; the message says why.</summary>
public sealed class HistogramFormatException : FormatException
{
    public HistogramFormatException()
        : this("Not a histogram.")
    {
    }

    public HistogramFormatException(string message)
        : base(message)
    {
    }

    public HistogramFormatException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
