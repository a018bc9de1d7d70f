namespace RedisLatency.Reports.Formats;

/// <summary>
/// The lines of a percentile distribution, each with the value at a percentile and how many values are not above it:
/// what a line says of its own percentile it says of all up to the share that is not above its value, and of none
/// further on.
/// </summary>
internal sealed class GivenSteps
{
    private static readonly double[] Asked = [50, 75, 90, 95, 99, 99.9, 99.99, 99.999];

    private readonly List<(double Percentile, double ValueNs, long Cumulative)> _steps = [];

    public long Count => _steps.Count == 0 ? 0 : _steps[^1].Cumulative;

    /// <summary>Whether they go to the largest value.</summary>
    public bool IsWhole => _steps is [.., { Percentile: 100 }];

    public double? MinNs => _steps is [{ Percentile: 0 } first, ..] ? first.ValueNs : null;

    public double? MaxNs => _steps.Count == 0 ? null : _steps[^1].ValueNs;

    /// <exception cref="ImportException">It does not come after the others.</exception>
    public void Add(double percentile, double valueNs, long cumulative)
    {
        if (percentile is not (>= 0 and <= 100) || (_steps is [.., var last]
            && (percentile < last.Percentile || valueNs < last.ValueNs || cumulative < last.Cumulative)))
            throw new ImportException("the lines of the percentile distribution do not ascend");
        _steps.Add((percentile, valueNs, cumulative));
    }

    public IReadOnlyDictionary<double, double> Known() => Asked
        .Select(asked => (Asked: asked, Step: _steps.LastOrDefault(step => step.Percentile <= asked)))
        .Where(one => one.Step.Cumulative > 0
            && (one.Step.Percentile == one.Asked || one.Step.Cumulative * 100.0 / Count >= one.Asked))
        .ToDictionary(one => one.Asked, one => one.Step.ValueNs);
}
