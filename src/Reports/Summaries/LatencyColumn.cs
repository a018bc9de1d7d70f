using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>A series as a column, and where that stands.</summary>
internal sealed record LatencyColumn(string Head, LatencySeries Series, Extent Extent = Extent.Both);
