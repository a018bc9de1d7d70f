namespace RedisLatency.Metrics.Histograms;

/// <summary>Bytes or text that should hold a histogram or an interval log and do not; the message says why.</summary>
public sealed class HistogramFormatException(string message, Exception? innerException = null)
    : FormatException(message, innerException);
