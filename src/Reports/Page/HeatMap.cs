using System.Globalization;
using System.Text;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Page;

/// <summary>How many values took how long, over time: the stronger its colour, the more.</summary>
public sealed class HeatMap
{
    internal const int Levels = 6;
    private const int MostRows = 60;
    private const int TableColumns = 12;

    private readonly IReadOnlyList<TimeSlice> _slices;
    private readonly DateTimeOffset _start;
    private readonly int _first;
    private readonly int _perRow;
    private readonly int _rows;
    private readonly long _most;

    /// <summary>Of slices of which one has values at least.</summary>
    /// <param name="title">What it is of.</param>
    /// <param name="note">How to read it.</param>
    /// <param name="slices">The columns.</param>
    /// <param name="beside">Those of all heatmaps that share its scales.</param>
    /// <param name="start">When the run began.</param>
    public HeatMap(
        string title, string note, IReadOnlyList<TimeSlice> slices, IReadOnlyList<TimeSlice> beside,
        DateTimeOffset start)
    {
        (Title, Note, _slices, _start) = (title, note, slices, start);
        var bands = beside.Where(slice => slice.Count > 0).Select(slice => slice.Bands).ToList();
        _first = bands.Min(band => band.First);
        var count = bands.Max(band => band.First + band.Counts.Count) - _first;
        _perRow = (count + MostRows - 1) / MostRows;
        _rows = (count + _perRow - 1) / _perRow;
        X = ChartAxis.Seconds(beside.Max(slice => (slice.Start + slice.Length - start).TotalSeconds));
        Y = ChartAxis.Durations([HeatBands.StartOf(_first), HeatBands.StartOf(_first + (_rows * _perRow))]);
        _most = Math.Max(1, beside.Max(slice => Enumerable.Range(0, _rows).Max(row => CountOf(slice, row))));
        Paths = Draw();
    }

    public string Title { get; }

    /// <summary>How to read it.</summary>
    public string Note { get; }

    public ChartAxis X { get; }
    public ChartAxis Y { get; }

    /// <summary>The path of each level, the palest first, in a square of 1,000.</summary>
    public IReadOnlyList<string> Paths { get; }

    /// <summary>From how many on a cell has each level, the palest first; null where no count has it.</summary>
    public IReadOnlyList<long?> Scale
    {
        get
        {
            var least = Enumerable.Range(0, Levels)
                .Select(level => Math.Max(1, (long)Math.Floor(Math.Pow(_most, (double)level / Levels)))).ToList();
            return
            [
                .. least.Select((count, level) => new[] { count, count + 1 }
                    .Where(one => one <= _most && LevelOf(one) == level).Select(one => (long?)one).FirstOrDefault()),
            ];
        }
    }

    /// <summary>How many the fullest cell has.</summary>
    public long Most => _most;

    /// <summary>The counts in fewer and wider cells.</summary>
    public Section Numbers
    {
        get
        {
            var groups = _slices.Chunk((_slices.Count + TableColumns - 1) / TableColumns).ToList();
            const int Octave = 4;
            var table = new Table(["took", .. groups.Select(group => $"from {Elapsed(group[0].Start)}")]);
            for (var band = _first - (_first % Octave); band < _first + (_rows * _perRow); band += Octave)
            {
                var (from, until) = (HeatBands.StartOf(band), HeatBands.StartOf(band + Octave));
                table.Add([
                    $"{Quantity.Duration(from)} to {Quantity.Duration(until)}",
                    .. groups.Select(group => Quantity.Count(group.Sum(slice =>
                        Enumerable.Range(band, Octave).Sum(slice.Bands.At)))),
                ]);
            }

            return new Section($"{Title}, in numbers").Add(table);
        }
    }

    private string Elapsed(DateTimeOffset at) => (at - _start).TotalSeconds < 100
        ? string.Create(CultureInfo.InvariantCulture, $"{(at - _start).TotalSeconds:0.#} s")
        : Quantity.Elapsed(at - _start);

    private int LevelOf(long count) => _most == 1 ? Levels - 1
        : Math.Clamp((int)(Levels * Math.Log(count) / Math.Log(_most)), 0, Levels - 1);

    private string[] Draw()
    {
        var paths = Enumerable.Range(0, Levels).Select(_ => new StringBuilder()).ToList();
        foreach (var slice in _slices)
        {
            var left = 1_000 * X.PlaceOf((slice.Start - _start).TotalSeconds);
            var width = (1_000 * X.PlaceOf((slice.Start + slice.Length - _start).TotalSeconds)) - left;
            for (var row = 0; row < _rows; row++)
            {
                if (CountOf(slice, row) is not (> 0 and var count))
                    continue;
                var level = LevelOf(count);
                var top = 1_000 * (1 - Y.PlaceOf(HeatBands.StartOf(_first + ((row + 1) * _perRow))));
                var height = (1_000 * (1 - Y.PlaceOf(HeatBands.StartOf(_first + (row * _perRow))))) - top;
                paths[level].Append(
                    CultureInfo.InvariantCulture, $"M{left:0.#} {top:0.#}h{width:0.##}v{height:0.#}h-{width:0.##}z");
            }
        }

        return [.. paths.Select(path => path.ToString())];
    }

    private long CountOf(TimeSlice slice, int row) =>
        Enumerable.Range(_first + (row * _perRow), _perRow).Sum(slice.Bands.At);
}
