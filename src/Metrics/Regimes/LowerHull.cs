namespace RedisLatency.Metrics.Regimes;

/// <summary>
/// The lower convex hull of points, kept up to date as they come (Andrew's monotone chain). Points in the order of x
/// cost amortised constant time; others are put in their place.
/// </summary>
internal sealed class LowerHull
{
    private double[] _x = new double[32];
    private double[] _y = new double[32];

    public int Count { get; private set; }

    public ReadOnlySpan<double> X => _x.AsSpan(0, Count);

    public ReadOnlySpan<double> Y => _y.AsSpan(0, Count);

    public void Clear() => Count = 0;

    public void Add(double x, double y)
    {
        if (Count > 0 && x <= _x[Count - 1])
        {
            Insert(x, y);
            return;
        }

        while (Count > 1 && !IsConvex(Count - 2, _x[Count - 1], _y[Count - 1], x, y))
            Count--;
        Push(x, y);
    }

    /// <summary>The least of y - slope * x, and the x of the vertex where that is; infinity without points.</summary>
    public double Support(double slope, out double touchedX)
    {
        // Convex: the first vertex after which it rises above the slope is the one that a line of the slope touches.
        int low = 0, high = Count - 1;
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_y[middle + 1] - _y[middle] < slope * (_x[middle + 1] - _x[middle]))
                low = middle + 1;
            else
                high = middle;
        }

        if (Count == 0)
        {
            touchedX = 0;
            return double.PositiveInfinity;
        }

        touchedX = _x[low];
        return _y[low] - (slope * _x[low]);
    }

    public double HeightAt(double x)
    {
        var after = Array.BinarySearch(_x, 0, Count, x);
        if (after >= 0)
            return _y[after];
        after = ~after;
        var before = after - 1;
        return _y[before] + ((_y[after] - _y[before]) * ((x - _x[before]) / (_x[after] - _x[before])));
    }

    private void Insert(double x, double y)
    {
        var place = Array.BinarySearch(_x, 0, Count, x);
        if (place >= 0)
        {
            if (y >= _y[place])
                return;
            _y[place] = y;
        }
        else
        {
            place = ~place;
            if (place > 0 && !IsConvex(place - 1, x, y, _x[place], _y[place]))
                return;
            Push(0, 0);
            Array.Copy(_x, place, _x, place + 1, Count - 1 - place);
            Array.Copy(_y, place, _y, place + 1, Count - 1 - place);
            _x[place] = x;
            _y[place] = y;
        }

        while (place > 1 && !IsConvex(place - 2, _x[place - 1], _y[place - 1], x, y))
            Remove(--place);
        while (place < Count - 2 && !IsConvex(place, _x[place + 1], _y[place + 1], _x[place + 2], _y[place + 2]))
            Remove(place + 1);
    }

    /// <summary>Whether (x, y) lies below the chord from a vertex to (nextX, nextY).</summary>
    private bool IsConvex(int vertex, double x, double y, double nextX, double nextY) =>
        (y - _y[vertex]) * (nextX - _x[vertex]) < (nextY - _y[vertex]) * (x - _x[vertex]);

    private void Push(double x, double y)
    {
        if (Count == _x.Length)
        {
            Array.Resize(ref _x, Count * 2);
            Array.Resize(ref _y, Count * 2);
        }

        _x[Count] = x;
        _y[Count++] = y;
    }

    private void Remove(int place)
    {
        Count--;
        Array.Copy(_x, place + 1, _x, place, Count - place);
        Array.Copy(_y, place + 1, _y, place, Count - place);
    }
}
