using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Samewait.Tests
{
    /// <summary>Runs every public static method of the classes named *Tests: no test framework is at hand without NuGet.</summary>
    static class Program
    {
        static int Main(string[] arguments)
        {
            if (arguments.Contains(JitterSamplesTests.Print))
            {
                Console.Write(JitterSamplesTests.Drawn());
                return 0;
            }
            int run = 0, failed = 0;
            IEnumerable<MethodInfo> tests = Assembly.GetExecutingAssembly().GetTypes()
                .Where(type => type.Name.EndsWith("Tests", StringComparison.Ordinal))
                .SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly));
            foreach (MethodInfo test in tests)
            {
                run++;
                try
                {
                    test.Invoke(null, null);
                }
                catch (TargetInvocationException e)
                {
                    failed++;
                    Console.WriteLine($"FAILED {test.DeclaringType.Name}.{test.Name}\n{e.InnerException}");
                }
            }
            Console.WriteLine($"{run} tests, {failed} failed");
            return failed == 0 && run > 0 ? 0 : 1;
        }
    }

    static class Check
    {
        public static void Equal<T>(T expected, T found, string about = "")
        {
            if (!EqualityComparer<T>.Default.Equals(expected, found))
                throw new Exception($"{about} expected {expected}, found {found}");
        }

        public static void Sequence<T>(IEnumerable<T> expected, IEnumerable<T> found) =>
            Equal(string.Join(", ", expected), string.Join(", ", found));

        public static E Throws<E>(Action action) where E : Exception
        {
            try
            {
                action();
            }
            catch (E e)
            {
                return e;
            }
            throw new Exception($"expected {typeof(E).Name}");
        }
    }
}
